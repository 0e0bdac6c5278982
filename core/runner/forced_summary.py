"""One more call after a limit, without tools, so that what was found is not lost. It stands outside the loop."""

from __future__ import annotations

from dataclasses import replace

from ..policies.refusal import refuse
from ..rounds.base import RefusedWhy, StoppedWhy
from . import refusal
from .continuing import Continuing
from .cut_warnings import warn_cut_outside_loop
from .messages import Request, User
from .response import Response
from .tool_turn import ToolTurn

PURPOSE = "forced summary"
PROMPT = (
    "The limit of this round is reached, so no further tool can be used. Sum up now, from what is above: what was "
    "found out, what is still open. Say plainly that the work is not finished."
)
LIMITS = frozenset((StoppedWhy.ITERATIONS, StoppedWhy.TOKENS, StoppedWhy.COST))
"""What leaves time for one more call; a time limit does not, and a round without progress has nothing to sum up."""


async def write_summary(
    calls: Continuing, request: Request, turn: ToolTurn, *, iteration: int, warns: bool = True
) -> Response | None:
    """Ask for the summary; a cut of it is warned of once, and tools asked for all the same are refused.

    Args:
        request: the conversation so far.
        turn: answers the tool calls that must not be there.
    """
    asked = replace(request, messages=(*request.messages, User(PROMPT)), tools_off=True)
    response = await calls.respond(asked, turn.early, iteration=iteration)
    if response is None:
        return None
    turn.begin(response)
    if response.is_cut and warns:
        await warn_cut_outside_loop(calls.recorder, PURPOSE)
    refused = refuse(response.stop_reason, turn.calls)
    if refused is not None:
        await turn.refuse(refused)
    else:
        await turn.refuse_all(RefusedWhy.POLICY, refusal.TOOLS_OFF)
    return response
