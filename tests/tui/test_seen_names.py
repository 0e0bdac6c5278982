from __future__ import annotations

from roundwatch.core.rounds import parse_event
from roundwatch.tui.seen_names import MOST_CHARS, MOST_NAMES, SeenNames

from tests.scenes import everything, start


def seen(lines: list[dict[str, object]]) -> SeenNames:
    names = SeenNames()
    for line in lines:
        names.take(parse_event(line))
    return names


def test_names_are_known_by_field_the_newest_first() -> None:
    names = seen(everything())
    assert names.of("agent")[:2] == ["tester", "helper"]
    assert set(names.of("model")) >= {"sonnet-5", "opus-5"}
    assert "delegate" in names.of("tool")
    assert "max_tokens" in names.of("finish")
    assert names.of("nothing") == []


def test_however_many_names_come_the_newest_few_are_kept() -> None:
    names = seen([line for number in range(MOST_NAMES * 3) for line in start("r", 0, f"agent-{number}")])
    assert len(names.of("agent")) == MOST_NAMES
    assert names.of("agent")[0] == f"agent-{MOST_NAMES * 3 - 1}"


def test_a_name_that_is_a_page_of_text_is_not_offered() -> None:
    assert seen(start("r", 0, "x" * (MOST_CHARS + 1))).of("agent") == []
