from __future__ import annotations

from roundwatch.core.hub.redaction_pieces import MOST_STREAMS, TAIL_CHARS, Tails


def piece(text: object, **where: object) -> dict[str, object]:
    return {"type": "call.output", "round": "r", "call": "c", "kind": "text", "text": text, **where}


def test_a_piece_goes_on_from_the_end_of_the_one_before_it() -> None:
    tails = Tails()
    assert tails.before("p", piece("a" * 1000)) == ""
    assert tails.before("p", piece("b")) == "a" * TAIL_CHARS
    assert tails.before("p", piece("c")) == "a" * (TAIL_CHARS - 1) + "b"


def test_only_pieces_of_the_same_output_belong_together() -> None:
    tails = Tails()
    tails.before("p", piece("a"))
    for other in (piece("b", call="d"), piece("b", kind="reasoning"), piece("b", choice=1), piece(None), piece({})):
        assert tails.before("p", other) == ""
    assert tails.before("q", piece("b")) == ""
    assert tails.before("p", {"type": "tool.finished", "text": "b"}) == ""
    assert tails.before("p", piece("b")) == "a"


def test_of_too_many_the_one_that_was_silent_longest_is_forgotten() -> None:
    tails = Tails()
    for n in range(MOST_STREAMS + 1):
        tails.before("p", piece("a", call=str(n)))
    assert tails.before("p", piece("b", call="1")) == "a"
    assert tails.before("p", piece("b", call="0")) == ""
