"""Foreign sources of rounds: a recording reverse proxy in front of any provider, and a tap on a program's own client.

The proxy needs the extra ``proxy``, the tap the HTTP library that it is for; importing this package loads neither.
"""

from .capture import Capture
from .endpoints import Endpoint, endpoint
from .environment import variables
from .exchange import Ending, Traffic
from .extra import MissingExtra
from .observer import Observer
from .tap import Tap
from .upstreams import WELL_KNOWN, Upstream, UpstreamError, Upstreams

__all__ = [
    "WELL_KNOWN",
    "Capture",
    "Ending",
    "Endpoint",
    "MissingExtra",
    "Observer",
    "Tap",
    "Traffic",
    "Upstream",
    "UpstreamError",
    "Upstreams",
    "endpoint",
    "variables",
]
