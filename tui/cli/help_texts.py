"""Help in the viewer's language, escaped for argparse."""

from __future__ import annotations

from ...core.texts.texts import Texts

WIRES = (
    "openai-chat", "openai-responses", "anthropic", "gemini", "ollama", "cohere", "bedrock-converse", "bedrock-invoke",
)  # fmt: skip
"""The wire formats; written out again because the translators are not loaded for a parser."""


class HelpTexts:
    """Looks up texts of the group ``cli.help``."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def __call__(self, key: str) -> str:
        """Return a help text; argparse would expand a ``%``."""
        return self.texts(f"cli.help.{key}", wires=", ".join(WIRES)).replace("%", "%%")
