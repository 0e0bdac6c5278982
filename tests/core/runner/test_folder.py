from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.runner.folder import MAX_DEPTH, MAX_FILE_BYTES, Entry, Folder, NotAllowed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "inside"
    (root / "plan").mkdir(parents=True)
    (root / "plan" / "berths.csv").write_text("north 1,Anna\n")
    (root / "notes.txt").write_text("tide at noon")
    (tmp_path / "secret.txt").write_text("nobody may read this")
    return root


OUTSIDE = [
    "../secret.txt",
    "plan/../../secret.txt",
    "/etc/passwd",
    "..",
    ".",
    "",
    "a\0b",
    "\\secret.txt",
    "..\\secret.txt",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_is_not_inside_is_neither_read_nor_written(root: Path, path: str) -> None:
    folder = Folder(root)
    with pytest.raises(NotAllowed):
        folder.read(path)
    with pytest.raises(NotAllowed):
        folder.write(path, b"x")
    assert (root.parent / "secret.txt").read_text() == "nobody may read this"


@given(path=st.text("./\\ab", max_size=12))
def test_no_spelling_of_a_path_leaves_the_folder(path: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    above = tmp_path_factory.mktemp("above")
    (above / "in").mkdir()
    (above / "a").write_text("secret")
    folder = Folder(above / "in")
    try:
        folder.write(path, b"mine")
    except (NotAllowed, OSError):
        pass
    else:
        assert folder.read(path) == b"mine"
    assert {entry.name for entry in above.iterdir()} == {"in", "a"}
    assert (above / "a").read_text() == "secret"


def test_a_link_is_not_followed_whatever_it_points_to(root: Path) -> None:
    (root / "file").symlink_to(root.parent / "secret.txt")
    (root / "dir").symlink_to(root.parent)
    (root / "own").symlink_to(root / "notes.txt")
    folder = Folder(root)
    for path in ("file", "dir/secret.txt", "own"):
        with pytest.raises(NotAllowed):
            folder.read(path)
        with pytest.raises(NotAllowed):
            folder.write(path, b"overwritten")
    assert (root.parent / "secret.txt").read_text() == "nobody may read this"
    assert (root / "own").is_symlink()


def test_a_walk_leaves_out_links_and_pipes(root: Path) -> None:
    (root / "dir").symlink_to(root.parent)
    os.mkfifo(root / "pipe")
    assert list(Folder(root).walk()) == [
        Entry("notes.txt", 12), Entry("plan", None), Entry("plan/berths.csv", 13),
    ]  # fmt: skip
    assert list(Folder(root).walk("plan")) == [Entry("plan/berths.csv", 13)]


def test_what_is_no_plain_file_is_not_read_and_does_not_hang_the_reader(root: Path) -> None:
    os.mkfifo(root / "pipe")
    folder = Folder(root)
    for path in ("pipe", "plan"):
        with pytest.raises(NotAllowed, match="not a plain file"):
            folder.read(path)
        with pytest.raises(NotAllowed, match="not a plain file"):
            folder.write(path, b"x")


def test_sizes_are_bounded_both_ways(root: Path) -> None:
    folder = Folder(root)
    folder.write("full", b"x" * MAX_FILE_BYTES)
    assert len(folder.read("full")) == MAX_FILE_BYTES
    with pytest.raises(NotAllowed, match="more than"):
        folder.write("full", b"y" * (MAX_FILE_BYTES + 1))
    assert folder.read("full")[:1] == b"x"
    (root / "large").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    with pytest.raises(NotAllowed, match="larger than"):
        folder.read("large")


def test_a_write_makes_folders_replaces_the_file_and_leaves_no_draft(root: Path) -> None:
    folder = Folder(root)
    folder.write("new/deep/file.txt", b"one")
    folder.write("new/deep/file.txt", b"two")
    assert (root / "new" / "deep" / "file.txt").read_bytes() == b"two"
    assert [entry.name for entry in (root / "new" / "deep").iterdir()] == ["file.txt"]


def test_a_tree_that_is_too_large_or_too_deep_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(root)
    with pytest.raises(NotAllowed, match="deep"):
        folder.write("/".join(["d"] * (MAX_DEPTH + 1)), b"")
    monkeypatch.setattr("roundwatch.core.runner.folder.MAX_NAMES", 2)
    with pytest.raises(NotAllowed, match="more than 2 entries"):
        list(folder.walk())
    for name in ("one", "two"):
        (root / "plan" / name).touch()
    with pytest.raises(NotAllowed, match="plan: 3 entries are more than 2"):
        list(folder.walk("plan"))


def test_a_write_that_fails_leaves_the_old_file_and_no_draft(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        Folder(root).write("notes.txt", b"new")
    assert (root / "notes.txt").read_text() == "tide at noon"
    assert sorted(entry.name for entry in root.iterdir()) == ["notes.txt", "plan"]


def test_a_system_that_cannot_stay_inside_is_told_at_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "supports_dir_fd", frozenset[object]())
    with pytest.raises(NotImplementedError):
        Folder(root)


def test_a_missing_file_is_an_ordinary_error(root: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Folder(root).read("plan/none")
    with pytest.raises(NotADirectoryError):
        Folder(root / "notes.txt")
