"""What is shipped, built and installed as anybody would, and run from a folder that knows nothing of the sources."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "tui", "locales")
SHIPPED = (".py", ".tcss", ".toml", ".jsonl", "py.typed")
SOURCES = (*FOLDERS, "tests", "screenshots", "docs", ".typing")
FILES = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "Makefile", "requirements.lock", "__init__.py")
PATIENCE_S = 600.0

pytestmark = pytest.mark.xdist_group("wheel")  # built and installed once

IMPORT_EVERYTHING = """
import importlib, pkgutil, roundwatch.core, roundwatch.tui, roundwatch.locales
EXTRAS = (
    ("roundwatch.core.runner.", ("httpx2", "h11")),
    ("roundwatch.core.feeds.", ("httptools", "httpx", "httpx2")),
    ("roundwatch.core.feeds.otlp", ("google", "opentelemetry")),
    ("roundwatch.core.hub", ("redis", "re2", "h11")),
    ("roundwatch.tui.web.", ("aiohttp", "textual_serve")),
)
count = 0
for top in (roundwatch.core, roundwatch.tui, roundwatch.locales):
    for info in pkgutil.walk_packages(top.__path__, top.__name__ + "."):
        try:
            module = importlib.import_module(info.name)
            for name in getattr(module, "__all__", ()):
                assert hasattr(module, name), (info.name, name)
                count += 1
        except ModuleNotFoundError as error:
            assert any(error.name in libraries and info.name.startswith(part) for part, libraries in EXTRAS), info
print(count)
"""


@dataclass(frozen=True)
class Shipped:
    """The built files and an environment with the wheel in it."""

    wheel: Path
    sdist: Path
    folder: Path

    def run(self, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in an empty folder."""
        env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        return subprocess.run(
            [str(self.folder / "env" / "bin" / command[0]), *command[1:]],
            cwd=self.folder / "empty",
            env={**env, "LC_ALL": "C.UTF-8"},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )


def called(*command: str | Path, cwd: Path) -> None:
    """Run a step of building; a failure shows what it said."""
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    folder = tmp_path_factory.mktemp("wheel")
    tree = folder / "tree"
    tree.mkdir()
    for name in SOURCES:
        if (ROOT / name).exists():
            ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(ROOT / name, tree / name, symlinks=True, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, tree / name)
    called(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist", tree, cwd=folder)
    (wheel,) = (folder / "dist").glob("*.whl")
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    (folder / "empty").mkdir()
    called(sys.executable, "-m", "venv", folder / "env", cwd=folder)
    pip = (folder / "env" / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    called(*pip, "install", "--constraint", ROOT / "requirements.lock", f"{wheel}[testing]", cwd=folder)
    return Shipped(wheel, sdist, folder)


def sources(tree: Path) -> set[str]:
    """Return every file that belongs into the wheel, from the project's root."""
    return {
        path.relative_to(tree).as_posix()
        for folder in FOLDERS
        for path in (tree / folder).rglob("*")
        if path.is_file() and path.name.endswith(SHIPPED)
    }


def test_the_wheel_holds_the_folders_and_nothing_else(shipped: Shipped) -> None:
    names = set(zipfile.ZipFile(shipped.wheel).namelist())
    ours = {name for name in names if ".dist-info/" not in name}

    assert ours == {f"roundwatch/{name}" for name in sources(shipped.folder / "tree")}
    assert {name.partition("/")[0] for name in ours} == {"roundwatch"}
    assert "roundwatch/__init__.py" not in ours


def test_the_wheel_was_built_from_a_source_distribution_with_the_tests(shipped: Shipped) -> None:
    with tarfile.open(shipped.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}

    assert sources(shipped.folder / "tree") <= names
    assert {"tests/conftest.py", "tests/packaging/test_wheel.py", "requirements.lock", "Makefile"} <= names
    assert not any("__pycache__" in name for name in names)


def test_what_runs_is_what_was_installed(shipped: Shipped) -> None:
    done = shipped.run("python", "-c", "import roundwatch.core; print(roundwatch.core.__file__)")

    print(done.stdout)
    assert Path(done.stdout.strip()).is_relative_to(shipped.folder / "env")


def test_every_module_and_every_public_name_can_be_imported(shipped: Shipped) -> None:
    done = shipped.run("python", "-W", "error", "-c", IMPORT_EVERYTHING)

    assert done.stderr == ""
    assert int(done.stdout) > 100


def test_the_program_says_its_version(shipped: Shipped) -> None:
    assert shipped.run("roundwatch", "--version").stdout == f"roundwatch {shipped.wheel.name.split('-')[1]}\n"


@pytest.mark.parametrize(("locale", "said"), [("en", "Cut at the output limit"), ("de", "Am Ausgabelimit")])
def test_the_program_classifies(shipped: Shipped, locale: str, said: str) -> None:
    sample = [
        {"type": "round.started", "round": "r1"},
        {"type": "call.started", "round": "r1", "call": "c1", "max_output_tokens": 60},
        {"type": "call.output", "round": "r1", "call": "c1", "kind": "text", "text": "Half"},
        {"type": "call.finished", "round": "r1", "call": "c1", "outcome": "completed", "finish_reason": "length"},
        {"type": "round.finished", "round": "r1"},
    ]

    done = shipped.run("roundwatch", "classify", "--locale", locale, "-", stdin="\n".join(map(json.dumps, sample)))

    assert (done.returncode, done.stderr) == (1, "")
    assert said in done.stdout


def test_the_gallery_and_the_help_are_shipped(shipped: Shipped) -> None:
    assert shipped.run("roundwatch", "banner").returncode == 0
    assert "cli." not in shipped.run("roundwatch", "--help").stdout


def test_the_demo_says_what_to_install(shipped: Shipped) -> None:
    done = shipped.run("roundwatch", "demo")

    assert done.returncode == 2
    assert "pip install 'roundwatch[demo]'" in done.stderr


def test_the_snapshot_guide_s_example_runs_by_the_plugin_s_entry_point_alone(shipped: Shipped) -> None:
    guide = (ROOT / "docs" / "snapshots.md").read_text("utf-8")
    for language, name in (("python", "test_rounds.py"), ("json", "recorded.jsonl")):
        found = re.search(rf"^```{language}\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
        assert found is not None
        (shipped.folder / "empty" / name).write_text(found.group(1), "utf-8")

    kept = shipped.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--snapshot-update", "test_rounds.py")
    again = shipped.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_rounds.py")

    assert kept.returncode == 0, kept.stdout + kept.stderr
    assert "4 snapshots passed" in again.stdout


def test_importing_from_the_old_top_level_is_impossible(shipped: Shipped) -> None:
    for folder in FOLDERS:
        assert "ModuleNotFoundError" in shipped.run("python", "-c", f"import {folder}").stderr
