"""What can go wrong around the hub, in words that may be shown: never a token, never a payload."""

from __future__ import annotations

from ..rounds.faults import CodedError


class HubError(CodedError):
    """Root of everything that this part raises; ``str()`` says what happened, to what, and what to do."""


class TokenError(HubError):
    """The token file cannot be made, read or trusted."""


class StoreError(HubError):
    """The store cannot be opened: not ours, of a newer version, in use, or unreadable."""


class StoreUnavailable(HubError):
    """A write or read failed just now (disk full, I/O error). Nothing of the batch was kept or acknowledged."""


class FrameError(HubError):
    """A text frame that is no JSON event and no array of them."""


class HubRefused(HubError):
    """A hub that answers but will not have us; trying again changes nothing."""


class SpoolError(HubError):
    """The publisher's file of unacknowledged events cannot be written; the event was not accepted."""
