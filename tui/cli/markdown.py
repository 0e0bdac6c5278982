"""A round as Markdown; what comes from outside is escaped, so that it stays text."""

from __future__ import annotations

import re

from ...core.rounds import Outcome, Round
from ...core.texts.banner import banner
from ...core.texts.texts import Texts
from .report import headline

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$]|:(?=//)|(?<=www)\.|^[+-]|(?<=^\d)[.)])", re.IGNORECASE)
"""What Markdown reads as more than itself, a bare address included; elsewhere a full stop or a dash is one."""


def section(round_: Round, outcome: Outcome, texts: Texts) -> str:
    """Return a heading and the banner of a round."""
    shown = banner(outcome, texts)
    lines = [f"## {escaped(headline(round_, outcome, shown, texts, unicode=True))}", ""]
    lines += [f"- {escaped(sentence)}" for sentence in (*shown.sentences, *filter(None, (shown.figures,)))]
    lines += [f"- *{escaped(question)}*" for question in shown.not_established]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Return ``text`` such that Markdown shows it character for character."""
    return SPECIAL.sub(r"\\\1", text)
