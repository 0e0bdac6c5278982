"""Foreign sources of rounds: a recording reverse proxy in front of any provider.

The proxy needs the extra ``proxy``; importing this package does not load its library, using it does.
"""

from .capture import Capture
from .endpoints import Endpoint, endpoint
from .environment import variables
from .exchange import Ending, Traffic
from .extra import MissingExtra
from .observer import Observer
from .upstreams import WELL_KNOWN, Upstream, UpstreamError, Upstreams

__all__ = [
    "WELL_KNOWN",
    "Capture",
    "Ending",
    "Endpoint",
    "MissingExtra",
    "Observer",
    "Traffic",
    "Upstream",
    "UpstreamError",
    "Upstreams",
    "endpoint",
    "variables",
]
