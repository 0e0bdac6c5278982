"""Help in the viewer's language, escaped for argparse."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import partial
from typing import Any

from ...core.texts.texts import Texts

HELP_COLUMN = 28

WIRES = (
    "anthropic",
    "bedrock-converse",
    "bedrock-invoke",
    "cohere",
    "gemini",
    "ollama",
    "openai-chat",
    "openai-responses",
)
"""The wire formats; written out again because the translators are not loaded for a parser."""


class HelpTexts:
    """Looks up texts of the group ``cli.help``."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def __call__(self, key: str) -> str:
        """Return a help text; argparse would expand a ``%``."""
        return self.texts(f"cli.help.{key}", wires=", ".join(WIRES)).replace("%", "%%")

    def presentation(self, program: str, name: str) -> dict[str, Any]:
        """Return how the parser of a command presents itself."""
        return {
            "prog": program,
            "add_help": False,
            "allow_abbrev": False,
            "description": self(f"about.{name}"),
            "epilog": self(f"examples.{name}"),
            "formatter_class": partial(_Formatter, self("usage")),
        }


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the line ends of examples; begins with the viewer's word for "usage"."""

    def __init__(self, usage_word: str, prog: str) -> None:
        super().__init__(prog, max_help_position=HELP_COLUMN)
        self._usage_word = usage_word

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, prefix or f"{self._usage_word} ")
