from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "tui", "locales")
ADDRESS = re.compile(r"https?://|file:|@ |--(extra-)?index-url|--find-links")


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def folders_with_code() -> dict[str, str]:
    """Return every package folder by its import name."""
    return {
        "roundwatch." + ".".join(path.parent.relative_to(ROOT).parts): path.parent.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("__init__.py")
    }


def test_every_package_folder_is_shipped_under_its_name(pyproject: dict[str, Any]) -> None:
    setuptools = pyproject["tool"]["setuptools"]

    assert sorted(setuptools["packages"]) == sorted(folders_with_code())
    assert setuptools["package-dir"] == folders_with_code()


def test_every_folder_that_holds_modules_is_a_package() -> None:
    holding = {path.parent.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}

    assert holding == set(folders_with_code().values())


def test_type_checkers_see_the_folders_under_their_import_names() -> None:
    links = {link.name: link.resolve() for link in (ROOT / ".typing" / "roundwatch").iterdir()}

    assert links == {folder: ROOT / folder for folder in FOLDERS}


def test_every_dependency_is_pinned_without_an_address(pyproject: dict[str, Any]) -> None:
    lines = [line for line in (ROOT / "requirements.lock").read_text().splitlines() if not line.startswith("#")]
    pinned = {normal(line.partition("==")[0]) for line in lines}
    project = pyproject["project"]
    wanted = [
        *project["dependencies"],
        *chain.from_iterable(project["optional-dependencies"].values()),
        *pyproject["dependency-groups"]["dev"],
        *pyproject["build-system"]["requires"],
    ]

    assert all(re.fullmatch(r"[\w.-]+==[\w.+!-]+", line) for line in lines)
    assert {normal(requirement) for requirement in wanted} <= pinned


@pytest.mark.parametrize("name", ["Makefile", ".ci/run", "requirements.lock", "pyproject.toml", "MANIFEST.in"])
def test_set_up_names_no_place_to_download_from(name: str) -> None:
    assert not ADDRESS.search((ROOT / name).read_text("utf-8"))


def normal(requirement: str) -> str:
    """Return a requirement's name as indexes compare it."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found.group()).lower()
