"""What a model is told of tool calls that were not run for other reasons than a cut (that text is the policy's)."""

from __future__ import annotations

UNKNOWN_TOOL = "There is no tool of this name. Use one of the tools that were offered."
FORBIDDEN = "A rule forbids this call; it was not run. Do not repeat it."
NOT_APPROVED = "The person asked did not approve this call; it was not run."
INTERRUPTED = "The round was stopped before this call had a result."
WITHHELD = "The provider withheld this response or set it aside; the tool calls in it were not run."
TOOLS_OFF = "Tools were switched off for this response; the call was not run."
