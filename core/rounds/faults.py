"""Errors that a front end can say in its reader's language: an English sentence, and what it is made of."""

from __future__ import annotations

from collections.abc import Mapping

FaultFacts = Mapping[str, str | int | None]
"""The values of a fault's sentence, by placeholder name."""


class CodedError(Exception):
    """An error with a sentence (``str()``, English) and, where there is one, the code that texts are keyed on."""

    def __init__(self, why: str = "", *, code: str | None = None, **facts: str | int | None) -> None:
        """Keep the sentence, and code and facts beside it.

        Args:
            code: names the text ``fault.<code>``; None = only the sentence says it.
            facts: what stands in that text's placeholders.
        """
        super().__init__(why)
        self.code = code
        self.facts: FaultFacts = facts
