from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from roundwatch.core.rounds import Verdict
from roundwatch.tui.cli.banner import gallery

from tests.tui.cli.command import run


def test_the_gallery_holds_every_verdict_under_its_name() -> None:
    shown = {round_.id: outcome for round_, outcome in gallery()}

    assert {outcome.verdict for outcome in shown.values()} == set(Verdict)
    for id_, outcome in shown.items():
        assert id_.removesuffix("-unconfirmed") == outcome.verdict.replace("_", "-")
    assert not shown["completed-unconfirmed"].is_answer


@pytest.mark.parametrize("locale", ["en", "de"])
def test_every_banner_is_shown(locale: str) -> None:
    done = run("banner", "--locale", locale)

    assert done.code == 0
    assert done.err == ""
    for round_, _ in gallery():
        assert f" {round_.id} " in done.out


def test_pictures_are_whole_and_fetch_nothing(tmp_path: Path) -> None:
    done = run("banner", "--svg", tmp_path / "pictures", "--locale", "de")

    pictures = list((tmp_path / "pictures").glob("*.de.svg"))
    assert done.code == 0
    assert done.out == ""
    assert len(pictures) == len(list(gallery()))
    for picture in pictures:
        text = picture.read_text("utf-8")
        ElementTree.fromstring(text)
        assert not re.search(r"url\(\W*http", text)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    done = run("banner", "--svg", tmp_path / "file")

    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "file" in done.err
