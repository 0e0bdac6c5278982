from __future__ import annotations

import pytest
from roundwatch.core.policies import TerminalWrite, terminal_write
from roundwatch.core.policies.terminal_write import SUMMARY_CHARS
from roundwatch.core.rounds import TRUNCATION_MARKER, Verdict

SENTENCE = "The cause."
WITH_ERROR = {
    Verdict.SELECTION_UNRESOLVED, Verdict.NO_USABLE_MODEL, Verdict.PROVIDER_STALLED, Verdict.RESPONSE_BODY_CUT,
    Verdict.PROVIDER_ERROR, Verdict.ROUND_TIMED_OUT, Verdict.FAULTED, Verdict.SUPERVISOR_GAVE_UP,
}  # fmt: skip
CUTS = {Verdict.OUTPUT_CAP_REACHED, Verdict.CONTEXT_WINDOW_EXCEEDED}
OPEN = {Verdict.RUNNING, Verdict.SUSPENDED}
APART = set(Verdict) - WITH_ERROR - CUTS - OPEN - {Verdict.COMPLETED, Verdict.CANCELLED}


def write(verdict: Verdict, text: str, *, has_partial: bool = False) -> TerminalWrite:
    written = terminal_write(verdict, text, SENTENCE, has_partial=has_partial)
    assert written is not None
    return written


@pytest.mark.parametrize("verdict", sorted(OPEN))
def test_nothing_is_committed_of_a_round_that_is_not_over(verdict: Verdict) -> None:
    assert terminal_write(verdict, "so far", SENTENCE, has_partial=True) is None


@pytest.mark.parametrize("verdict", sorted(WITH_ERROR))
def test_an_error_cell_holds_the_sentence_behind_the_text_so_far(verdict: Verdict) -> None:
    assert write(verdict, "") == TerminalWrite("*Error: The cause.*", "Error: The cause.")
    assert write(verdict, " \n").text == "*Error: The cause.*"
    assert write(verdict, "so far").text == "so far\n\n*Error: The cause.*"


@pytest.mark.parametrize("verdict", sorted(CUTS))
def test_a_cut_answer_carries_the_marker_and_only_with_a_partial(verdict: Verdict) -> None:
    assert write(verdict, "half", has_partial=True) == TerminalWrite(
        "half" + TRUNCATION_MARKER, "Error: The cause.", marker=True
    )
    assert write(verdict, "") == TerminalWrite("", "Error: The cause.")
    assert write(verdict, "before the tools") == TerminalWrite("before the tools", "Error: The cause.")


@pytest.mark.parametrize("verdict", sorted(set(Verdict) - CUTS - OPEN))
def test_no_other_verdict_ever_carries_the_marker(verdict: Verdict) -> None:
    written = write(verdict, "half", has_partial=True)
    assert not written.marker
    assert TRUNCATION_MARKER not in written.text


@pytest.mark.parametrize("verdict", sorted(APART))
def test_elsewhere_the_text_stays_as_it_is_and_the_summary_says_why(verdict: Verdict) -> None:
    assert write(verdict, "so far") == TerminalWrite("so far", "Error: The cause.")


def test_a_cancelled_round_keeps_its_text_and_is_no_error() -> None:
    assert write(Verdict.CANCELLED, "so far") == TerminalWrite("so far", "Cancelled: The cause.")


def test_a_completed_round_keeps_its_text_and_its_summary_is_the_beginning_on_one_line() -> None:
    assert write(Verdict.COMPLETED, "one\n\ntwo ") == TerminalWrite("one\n\ntwo ", "one two")
    assert len(write(Verdict.COMPLETED, "x" * 999).summary) == SUMMARY_CHARS


@pytest.mark.parametrize("verdict", sorted(set(Verdict) - OPEN))
def test_no_written_text_is_lost_and_every_summary_is_one_line(verdict: Verdict) -> None:
    written = terminal_write(verdict, "so\nfar", "two\nlines", has_partial=True)
    assert written is not None
    assert written.text.startswith("so\nfar")
    assert "\n" not in written.summary
