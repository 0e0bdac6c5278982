"""Secrets that come in pieces: the end of a streamed text waits while it may be the beginning of one."""

from __future__ import annotations

from .key_shapes import GONE
from .request_secrets import LONGEST, Secrets


class Streamed:
    """One text that comes in pieces. What waits is copied from the traffic; the traffic itself never waits."""

    def __init__(self, secrets: Secrets) -> None:
        """Let none of ``secrets`` through, wherever the pieces split it."""
        self._secrets = secrets
        self._tail = ""
        """The end of what came, from where a secret may begin."""
        self._public = 0
        """How many characters of it were published, since something else had to come behind them."""
        self._before = ""
        """The character that was told in front of it: behind a letter no key begins."""

    @property
    def waiting(self) -> int:
        """How many characters wait for the next piece."""
        return len(self._tail) - self._public

    def add(self, piece: str) -> str:
        """Return what can be published of the text so far, without secrets."""
        text, before = self._tail + piece, self._before
        cut = max(0, self._secrets.begun(before + text) - len(before))
        if len(text) - cut > LONGEST:
            cut = len(text)
        public = self._tail[: self._public]
        self._tail, self._public = text[cut:], max(0, len(public) - cut)
        clean = self._out_of(text[:cut])
        self._before = clean[-1:] or before
        return "" if cut < len(public) else clean.removeprefix(public)

    def _out_of(self, text: str) -> str:
        clean = self._secrets.out_of(self._before + text)
        if clean.startswith(self._before):
            return clean[len(self._before) :]
        return self._secrets.out_of(text)  # a secret that begins before: its rest is one, or told as it is

    def let_go(self) -> str:
        """Return what waits: nothing more comes, or something else that has to stand behind it.

        It is still known: a secret that began here is cut off in the next piece.
        """
        if not self.waiting:
            return ""
        fresh, clean = self._tail[self._public :], self._secrets.out_of(self._tail)
        tells = clean != self._tail or self._secrets.tells(self._tail)
        self._public = len(self._tail)
        return GONE if tells else fresh
