from __future__ import annotations

import pytest
from roundwatch.core.wire import WIRES, UnknownWire, translator


@pytest.mark.parametrize("name", WIRES)
def test_a_translator_is_found_by_the_name_it_carries(name: str) -> None:
    assert translator(name, round="r", call="c").wire == name


def test_an_unknown_format_is_told_with_the_names_there_are() -> None:
    names = "anthropic, bedrock-converse, bedrock-invoke, cohere, gemini, ollama, openai-chat, openai-responses"
    with pytest.raises(UnknownWire, match=f"unknown wire format 'telex'; known: {names}$"):
        translator("telex", round="r", call="c")
