"""One outcome of each kind, for their banners."""

from __future__ import annotations

from roundwatch.core.rounds import Doubt, Evidence, Figures, Outcome, Verdict

from tests.core.texts.ended import FACTS, ended

FIGURES = Figures(
    "c1", first_output_ms=15_600, total_ms=18_200, output_tokens=24, input_tokens=246_017, output_seen=True
)
WITHOUT_CALLS = frozenset((Verdict.SELECTION_UNRESOLVED, Verdict.NO_USABLE_MODEL))


def outcomes() -> dict[str, Outcome]:
    """One outcome a verdict, and the states that a verdict alone does not tell apart."""
    found = {
        str(verdict): ended(
            verdict, FACTS.get(verdict, ({},))[0], figures=None if verdict in WITHOUT_CALLS else FIGURES
        )
        for verdict in Verdict
    }
    found["completed_unconfirmed"] = ended(
        Verdict.COMPLETED,
        is_answer=False,
        evidence=Evidence.UNCONFIRMED,
        doubts=(Doubt.FINISH_REASON_NEVER_REPORTED, Doubt.FEED_GAP),
        figures=FIGURES,
    )
    found["running_silent"] = ended(Verdict.RUNNING, stalled_ms=200_000.0, figures=FIGURES)
    return found
