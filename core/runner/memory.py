"""What a runner remembers across its rounds: which models report an end, and what its operator was told already."""

from __future__ import annotations

from collections.abc import Mapping

from ..policies.register import ConfigRegister, TrafficRegister
from .recorder import Recorder


class Memory:
    """Belongs to one runner: a model and a runner are one *client*.

    Args:
        report_rarely: False tells every finding every time.
    """

    def __init__(self, *, report_rarely: bool = True) -> None:
        self._reporting: set[str] = set()
        self._config = ConfigRegister()
        self._traffic = TrafficRegister()
        self._rarely = report_rarely

    def note_report(self, model: str) -> None:
        """Note that a call of ``model`` reported a finish reason."""
        self._reporting.add(model)

    def has_proof(self, model: str) -> bool:
        """Return whether an earlier call of ``model``, of whatever round, reported a finish reason."""
        return model in self._reporting

    async def tell_config(
        self, recorder: Recorder, signature: str, code: str, message: str, facts: Mapping[str, object]
    ) -> None:
        """Warn of a finding of the configuration, the first time its signature is seen."""
        if self._config.reports(signature) or not self._rarely:
            await recorder.warn(code, message, facts)

    async def tell_traffic(
        self, recorder: Recorder, signature: str, code: str, message: str, facts: Mapping[str, object]
    ) -> None:
        """Warn of a finding of the traffic at the 1st, 10th, 100th … occurrence of its signature.

        The warning of a cut response never comes through here: there is one for each.
        """
        if self._traffic.reports(signature) or not self._rarely:
            await recorder.warn(code, message, facts)
