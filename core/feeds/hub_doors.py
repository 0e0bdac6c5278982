"""What a hub can take besides its own protocol, for whoever starts one: ``Hub(**doors())``."""

from __future__ import annotations

from typing import TypedDict

from ..hub.foreign import ForeignStream
from ..hub.uploads import UploadHandler
from .acp import acp_v1, acp_v2
from .ag_ui import SUBPROTOCOL, AgUi
from .otlp import OtlpReceiver


class Doors(TypedDict):
    """Arguments of ``Hub``."""

    uploads: dict[str, UploadHandler]
    streams: dict[str, ForeignStream]


def doors() -> Doors:
    """Return the OpenTelemetry receiver and the translators of AG-UI and ACP, for one hub."""
    return {
        "uploads": OtlpReceiver().paths,
        "streams": {SUBPROTOCOL: AgUi, "acp.v1": acp_v1, "acp.v2": acp_v2},
    }
