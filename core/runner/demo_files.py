"""The files of the demo: what its agents read, search and write, in a folder made for one run."""

from __future__ import annotations

from collections.abc import Mapping

from .folder import Folder

FILES: Mapping[str, str] = {
    "plan/berths.toml": "[berths]\nnorth = 4\nsouth = 6\ndraft_limit_m = 9.5\n",
    "plan/week-12.csv": "berth,ship,from,to\nnorth 1,Anna,06:00,09:30\nsouth 6,Wilhelmina,18:00,20:00\n",
    "quays/south.csv": "bollard,state\nS01,in use\nS02,in use\nS03,to be replaced\nS04,in use\nS05,to be replaced\n",
    "archive/1987.txt": "3 January: storm from the north-west, the pilot boat stayed in.\n" * 12,
    "archive/lighthouse.txt": "Painted 1961, 1978, 1994. The lamp was changed in 2003.\n",
    "tariff/rounding.txt": "Amounts are rounded half up to full cents, as printed.\n",
}


def lay_out(folder: Folder) -> None:
    """Write the demo's files into ``folder``."""
    for path, text in FILES.items():
        folder.write(path, text.encode())
