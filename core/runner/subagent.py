"""A tool that hands work to another agent: a round below the round."""

from __future__ import annotations

import json
from dataclasses import replace

from ..policies.readers import StepResult, task_output
from ..rounds.outcome import Outcome
from ..rounds.verdicts import ParentOutcome, Verdict
from .agents import RoundResult, Task
from .cancel import Cancellation
from .tools import Arguments, Tool, ToolContext, ToolFailed

TITLE_CHARS = 80
PARAMETERS = {
    "type": "object",
    "properties": {"task": {"type": "string", "description": "What to do, with everything needed to do it."}},
    "required": ["task"],
}


def subagent_tool(agent: str, *, name: str, description: str = "", base: Task | None = None) -> Tool:
    """Return a tool that runs ``agent`` on the task the model names.

    The model is told the answer; of a cut one the partial answer and that it is incomplete; else that it failed.

    Args:
        base: what the sub-round starts from (limits, headers, title, claim); its prompt and agent are replaced.
    """

    async def run(arguments: Arguments, context: ToolContext) -> str:
        prompt = str(arguments.get("task", ""))
        start = base if base is not None else Task(prompt="", agent=agent)
        child = replace(
            start, prompt=prompt, agent=agent, title=start.title or prompt[:TITLE_CHARS], cancel=Cancellation()
        )
        return told(await context.run_child(child))

    return Tool(name=name, run=run, description=description, parameters=PARAMETERS)


def told(result: RoundResult) -> str:
    """Return what a parent model is told of a sub-round.

    Raises:
        ToolFailed: it did not answer. Of one that ran out of time ``str()`` is a report in JSON with what was
            recovered of its work and how that has to be read.
    """
    outcome = result.outcome
    if result.timed_out is not None:
        raise ToolFailed(json.dumps(result.timed_out.as_json(), ensure_ascii=False))
    if outcome.parent_outcome is ParentOutcome.FAILED or outcome.parent_outcome is None:
        raise ToolFailed(_summary(outcome))
    return task_output(result.text, StepResult.of(outcome))


def _summary(outcome: Outcome) -> str:
    """The line that stands for a sub-round without an answer; never any of its text."""
    if outcome.verdict is Verdict.SELECTION_UNRESOLVED:
        return f"Error: {outcome.facts.get('sentence')}"
    return f"Error: the sub-agent gave no answer ({outcome.verdict.value})."
