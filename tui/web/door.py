"""What every request to the browser's screen has to pass: this machine's name, the token's cookie, our own page."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qs

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from ...core.hub.gate import host_name, is_loopback
from ...core.texts import Texts
from .login_page import FIELD, LOGIN_PATH, login_page
from .sessions import LASTS_S, Sessions

SOCKET_PATH = "/ws"
MOST_FORM_BYTES = 4096
MOST_SCREENS = 8
"""Screens at once; each is a process of its own."""


@dataclass
class Door:
    """An aiohttp middleware; the app behind it asks for nothing by itself."""

    sessions: Sessions
    origin: str
    """The one address that pages and websockets may come from, such as ``http://127.0.0.1:7435``."""
    texts: Texts
    token_place: str
    """Where the token can be found, told on the page that asks for it."""
    most_screens: int = MOST_SCREENS
    _screens: int = field(default=0, init=False)

    @property
    def cookie_name(self) -> str:
        """Cookies do not tell ports apart, so the name does."""
        return f"roundwatch_{self.origin.rpartition(':')[2]}"

    def middleware(self) -> Middleware:
        """Return what aiohttp calls for each request."""

        @web.middleware
        async def admit(request: web.Request, handler: Handler) -> web.StreamResponse:
            return await self._admit(request, handler)

        return admit

    async def protect(self, request: web.Request, response: web.StreamResponse) -> None:
        """Put the headers on any answer that keep a browser from loading, framing or keeping anything else."""
        socket = self.origin.replace("http", "ws", 1)
        response.headers.update(
            {
                "Content-Security-Policy": (
                    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
                    f"img-src 'self' data:; font-src 'self' data:; connect-src 'self' {socket}; "
                    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
                ),
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "same-origin",  # "no-referrer" would make the Origin of our own form "null"
                "Cache-Control": "no-store",
            }
        )

    async def _admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        elsewhere = self._other_name(request)
        if elsewhere is not None:
            return elsewhere
        if request.path == LOGIN_PATH:
            return await self._login(request)
        if not self.sessions.knows(request.cookies.get(self.cookie_name)):
            return self._page(401) if request.path == "/" else _refused(401, "show the token first: open /")
        if request.method not in ("GET", "HEAD"):
            return _refused(405, "only GET")
        if request.path == SOCKET_PATH:
            return await self._screen(request, handler)
        return await handler(request)

    def _other_name(self, request: web.Request) -> web.StreamResponse | None:
        """Return the answer for a request under another name than ours: a page whose name was bound to this machine
        must get nothing, and a person who typed another loopback name is led to the one that cookies are for."""
        hosts = request.headers.getall("Host", [])
        if hosts == [self.origin.partition("//")[2]]:
            return None
        if len(hosts) == 1 and is_loopback(host_name(hosts[0])) and request.method == "GET":
            return web.Response(status=307, headers={"Location": f"{self.origin}/"})
        return _refused(403, "this is not the address of this screen")

    async def _login(self, request: web.Request) -> web.StreamResponse:
        if request.method != "POST":
            return web.Response(status=303, headers={"Location": "/"})
        if not self._is_ours(request):
            return _refused(403, "the form of another page may not log in here")
        body = await request.content.read(MOST_FORM_BYTES + 1)
        while len(body) <= MOST_FORM_BYTES and not request.content.at_eof():
            body += await request.content.read(MOST_FORM_BYTES + 1 - len(body))
        cookie = self.sessions.open(_token_in(body))
        if cookie is None:
            return self._page(403, "cli.web.wrong")
        answer = web.Response(status=303, headers={"Location": "/"})
        answer.set_cookie(self.cookie_name, cookie, max_age=int(LASTS_S), path="/", httponly=True, samesite="Strict")
        return answer

    async def _screen(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not self._is_ours(request):
            return _refused(403, "another page may not open this screen")
        if self._screens >= self.most_screens:
            return _refused(503, f"{self.most_screens} screens are open; close one first")
        self._screens += 1
        try:
            return await handler(request)
        finally:
            self._screens -= 1

    def _is_ours(self, request: web.Request) -> bool:
        return request.headers.getall("Origin", []) == [self.origin]

    def _page(self, status: int, problem: str | None = None) -> web.Response:
        page = login_page(self.texts, self.token_place, problem)
        return web.Response(status=status, text=page, content_type="text/html")


def _token_in(body: bytes) -> str:
    """Return the token of a form; empty, which never is one, where the form is too long or holds none."""
    if len(body) > MOST_FORM_BYTES:
        return ""
    try:
        fields = parse_qs(body.decode("utf-8"), max_num_fields=8)
    except ValueError:
        return ""
    return fields.get(FIELD, [""])[0].strip()


def _refused(status: int, why: str) -> web.Response:
    return web.Response(status=status, text=f"{why}\n")
