from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any, cast

import pytest
from prometheus_client.core import Metric
from prometheus_client.openmetrics import parser as open_metrics
from prometheus_client.parser import text_string_to_metric_families as plain_text
from roundwatch.core.hub.metrics import HELP, Counters, HubMetrics

OPEN_METRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"


def told(accept: str = "") -> tuple[str, str]:
    metrics = HubMetrics(Counters(stored=3, watchers=2), lambda: [("store_last_seq", "newest event", 7)])
    metrics.ack_s.observe(0.004)
    content_type, text = metrics.exposition(accept)
    return content_type, text.decode()


def test_every_counter_is_told_with_its_kind_and_no_label() -> None:
    content_type, text = told()
    assert content_type.startswith("text/plain; version=0.0.4")
    assert "# TYPE roundwatch_stored_total counter\nroundwatch_stored_total 3.0\n" in text
    assert "# TYPE roundwatch_watchers gauge\nroundwatch_watchers 2.0\n" in text
    assert "roundwatch_store_last_seq 7.0\n" in text
    assert set(HELP) == {field.name for field in fields(Counters)}


def test_no_label_but_the_bounds_of_the_histogram_is_told() -> None:
    labels = {name for family in plain_text(told()[1]) for sample in family.samples for name in sample.labels}
    assert labels == {"le"}


@pytest.mark.parametrize("accept", [OPEN_METRICS, "application/openmetrics-text"])
def test_a_reader_of_open_metrics_gets_them(accept: str) -> None:
    content_type, text = told(accept)
    assert content_type.startswith("application/openmetrics-text")
    families: Iterable[Metric] = cast("Any", open_metrics).text_string_to_metric_families(text)
    found = {family.name: family for family in families}
    assert found["roundwatch_stored"].samples[0].value == 3
    assert sum(sample.value for sample in found["roundwatch_ack_seconds"].samples if sample.name.endswith("count")) == 1


def test_two_hubs_in_one_process_do_not_share_figures() -> None:
    other = HubMetrics(Counters(), lambda: ())
    assert "roundwatch_ack_seconds_count 0.0" in other.exposition("")[1].decode()
    assert "roundwatch_ack_seconds_count 1.0" in told()[1]
