from __future__ import annotations

from roundwatch.tui.statistics import MOST_MODELS, OTHERS, Measure, Statistics

from tests.scenes import Lines, call, end, event, everything, received, start
from tests.tui.filtering import watching


def of(lines: Lines) -> Statistics:
    return watching(lines).statistics


def test_every_ended_round_counts_once_under_its_verdict() -> None:
    watched = watching(everything())
    assert watched.statistics.verdicts["completed"] == 4
    assert watched.statistics.verdicts["stream_ended_without_finish"] == 2
    assert watched.statistics.verdicts.total() == len(watched.tree) - 1


def test_late_news_moves_a_round_to_another_verdict() -> None:
    told = call("r", "c", 0, first=1, total=2, text="x", finish="length")
    watched = watching([*start("r", 0), *told[:-1], *end("r", 3)])
    assert +watched.statistics.verdicts == {"stream_ended_without_finish": 1}
    for item in received(told[-1:], 100):
        watched.take(item, 1.0)
    assert +watched.statistics.verdicts == {"output_cap_reached": 1}


def test_what_was_not_reported_is_counted_apart_and_is_no_zero() -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=None, total=2, usage=(None, None))]
    measured = of(lines).models["sonnet-5"]
    assert (measured[Measure.FIRST].values.count, measured[Measure.FIRST].not_reported) == (0, 1)
    assert (measured[Measure.TOTAL].values.count, measured[Measure.TOTAL].values.most) == (1, 2000)
    assert (measured[Measure.RATE].values.count, measured[Measure.RATE].not_reported) == (0, 1)


def test_a_rate_is_output_over_the_time_of_streaming() -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=1, total=3, usage=(5, 100), text="x" * 400)]
    assert of(lines).models["sonnet-5"][Measure.RATE].values.most == 50.0


def test_a_call_that_is_told_twice_is_measured_once() -> None:
    told = call("r", "c", 0, first=1, total=3, usage=(5, 100))
    measured = of([*start("r", 0), *told, *told[-1:]]).models["sonnet-5"]
    assert measured[Measure.TOTAL].values.count == 1


def test_implausible_figures_are_left_out_and_counted() -> None:
    late_first = call("r", "c", 0, first=5, total=3, usage=(5, 100))
    negative = call("r", "d", 0, first=1, total=-3, usage=(5, -100))
    measured = of([*start("r", 0), *late_first, *negative]).models["sonnet-5"]
    assert measured[Measure.RATE].implausible == 2
    assert measured[Measure.RATE].values.count == 0
    assert measured[Measure.TOTAL].implausible == 1


def test_times_that_come_from_event_times_are_counted_as_derived() -> None:
    lines = [
        *start("r", 0),
        *event("call.started", "r", 0, call="c", model="m"),
        *event("call.output", "r", 1, call="c", kind="text", text="x"),
        *event("call.finished", "r", 3, call="c", outcome="completed", finish_reason="stop"),
    ]
    measured = of(lines).models["m"]
    assert (measured[Measure.FIRST].derived, measured[Measure.FIRST].values.most) == (1, 1000)


def test_however_many_models_come_the_room_is_bounded_and_no_call_is_lost() -> None:
    lines = start("r", 0)
    for number in range(MOST_MODELS * 2):
        lines += call("r", f"c{number}", number, first=0.1, total=0.5, model=f"m{number}")
    statistics = of(lines)
    assert len(statistics.models) == MOST_MODELS + 1
    assert sum(each[Measure.TOTAL].values.count for each in statistics.models.values()) == MOST_MODELS * 2
    assert statistics.models[OTHERS][Measure.TOTAL].values.count == MOST_MODELS


def test_a_call_without_a_model_counts_under_none() -> None:
    lines = [*start("r", 0), *event("call.finished", "r", 3, call="c", outcome="completed", total_ms=5.0)]
    assert None in of(lines).models
