"""Write the pictures of ``screenshots/`` from the running app: ``make screenshots``."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # run as a file, Python looks beside it only

from roundwatch.tui.testing.pieces import banner_app  # noqa: E402, I001
from roundwatch.tui.themes import DARK, LIGHT  # noqa: E402
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


SHOTS = (
    Shot("main-en", "everything", "en"),
    Shot("main-de", "everything", "de"),
    Shot("cut-en", "cut", "en"),
    Shot("cut-de", "cut", "de"),
    Shot("light-en", "everything", "en", theme=LIGHT.name, pressed=("n",)),
    Shot("wide-en", "everything", "en", size=(200, 50), pressed=("n", "n", "n", "n", "n", "n", "n")),
    Shot("stacked-de", "cut", "de", size=(80, 24)),
    Shot("narrow-de", "cut", "de", size=(40, 16), pressed=("enter",)),
    Shot("partial-en", "partial", "en"),
    Shot("help-de", "everything", "de", pressed=("question_mark",)),
    Shot("inspector-en", "cut", "en", pressed=("enter", "up", "up", "up", "enter")),
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


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for shot in SHOTS:
        _write(shot.name, asyncio.run(take(shot)))
    for locale in ("en", "de"):
        _write(f"banners-{locale}", asyncio.run(take_banners(locale)))


def _write(name: str, picture: str) -> None:
    path = FOLDER / f"{name}.svg"
    path.write_text(picture, encoding="utf-8")
    print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
