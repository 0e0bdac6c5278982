from __future__ import annotations

import pytest
from roundwatch.core.rounds import Outcome
from roundwatch.tui.cli.exit_codes import ExitCode, exit_code

from tests.rounds import call, end, judge, start

ANSWER = judge(start(), call("c1", "stop", "Yes."), end())
UNCONFIRMED = judge(start(), call("c1", None, "Yes."), end())
CUT = judge(start(), call("c1", "length", "Y"), end())
CANCELLED = judge(start(), [{"type": "round.cancel_requested", "by": "user"}], end())


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([], 0),
        ([ANSWER, ANSWER], 0),
        ([ANSWER, UNCONFIRMED], 3),
        ([UNCONFIRMED, CUT], 1),
        ([CUT, UNCONFIRMED, ANSWER], 1),
        ([CANCELLED], 1),
    ],
)
def test_the_worst_round_decides(outcomes: list[Outcome], code: int) -> None:
    assert exit_code(outcomes) == code


def test_the_documented_codes_are_what_they_are() -> None:
    assert [int(code) for code in ExitCode] == [0, 1, 2, 3, 70, 130]
