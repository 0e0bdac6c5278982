"""Write the pictures of ``screenshots/`` from the running app: ``make screenshots``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a file, Python looks beside it only

import pytest  # noqa: E402
from roundwatch.tui.testing.pieces import banner_app  # noqa: E402
from roundwatch.tui.testing.surroundings import pinned  # noqa: E402
from roundwatch.tui.themes import DARK, HIGH_CONTRAST, LIGHT, MONOCHROME  # noqa: E402

from tests.banners import outcomes  # noqa: E402
from tests.stage import app_of, keys  # noqa: E402

FOLDER = ROOT / "screenshots"


@dataclass(frozen=True)
class Shot:
    """One picture: a scene in a language and a size, after some keys."""

    name: str
    scene: str
    locale: str
    size: tuple[int, int] = (120, 40)
    pressed: tuple[str, ...] = ()
    theme: str = DARK.name


WRONG = ("n",) * 7
"""Goes to the round that was cut and then lost its stream."""
COMPARED = (*WRONG, "m", "down", "c")

SHOTS = (
    Shot("main-en", "everything", "en", pressed=WRONG),
    Shot("main-de", "everything", "de", pressed=WRONG),
    Shot("cut-en", "cut", "en"),
    Shot("cut-de", "cut", "de"),
    Shot("inspector-en", "cut", "en", pressed=("enter", *("up",) * 4, "enter")),
    Shot("inspector-de", "cut", "de", pressed=("enter", *("up",) * 4, "enter")),
    Shot("statistics-en", "everything", "en", pressed=("s",)),
    Shot("statistics-de", "everything", "de", pressed=("s",)),
    Shot("compare-en", "everything", "en", size=(120, 60), pressed=COMPARED),
    Shot("compare-de", "everything", "de", size=(120, 60), pressed=COMPARED),
    Shot("light-en", "everything", "en", theme=LIGHT.name, pressed=WRONG),
    Shot("high-contrast-en", "everything", "en", theme=HIGH_CONTRAST.name, pressed=WRONG),
    Shot("monochrome-en", "everything", "en", theme=MONOCHROME.name, pressed=WRONG),
    Shot("wide-en", "everything", "en", size=(200, 50), pressed=WRONG),
    Shot("stacked-de", "cut", "de", size=(80, 24)),
    Shot("narrow-de", "cut", "de", size=(40, 16), pressed=("enter",)),
    Shot("partial-en", "partial", "en"),
    Shot("help-de", "everything", "de", pressed=("question_mark",)),
)


async def take(shot: Shot) -> str:
    """Return the picture as SVG; the same every time."""
    app = app_of(shot.scene, shot.locale, theme=shot.theme)
    async with app.run_test(size=shot.size) as pilot:
        await keys(*shot.pressed)(pilot)
        return app.export_screenshot(title="roundwatch")


async def take_banners(locale: str) -> str:
    """Return every banner in one picture."""
    app = banner_app(list(outcomes().values()), locale, 100)
    async with app.run_test(size=app.piece_size) as pilot:
        await pilot.pause()
        return app.export_screenshot(title="roundwatch banner")


def pictures() -> dict[str, Callable[[], Coroutine[Any, Any, str]]]:
    """Return what takes each picture, by the name of its file."""
    taken: dict[str, Callable[[], Coroutine[Any, Any, str]]] = {shot.name: partial(take, shot) for shot in SHOTS}
    return taken | {f"banners-{locale}": partial(take_banners, locale) for locale in ("en", "de")}


def main() -> None:
    """Write every picture, and take away files that are none any more."""
    FOLDER.mkdir(exist_ok=True)
    with pinned(pytest.MonkeyPatch()):
        for name, made in pictures().items():
            path = FOLDER / f"{name}.svg"
            path.write_text(asyncio.run(made()), encoding="utf-8")
            print(path.relative_to(ROOT))
    for path in FOLDER.glob("*.svg"):
        if path.stem not in pictures():
            path.unlink()


if __name__ == "__main__":
    main()
