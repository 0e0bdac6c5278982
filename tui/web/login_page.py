"""The page that asks for the token: no script, nothing from elsewhere."""

from __future__ import annotations

from html import escape

from ...core.texts import Texts

LOGIN_PATH = "/login"
FIELD = "token"
_PAGE = """<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><title>roundwatch</title>
<meta name="viewport" content="width=device-width">
<style>body{{font:16px system-ui,sans-serif;background:#0f1419;color:#d7dde5;margin:15vh auto;max-width:28rem;
padding:0 1rem}}
label{{display:block;margin-bottom:.4rem}}input{{width:100%;box-sizing:border-box;padding:.5rem;font:inherit}}
button{{margin-top:1rem;padding:.5rem 1.5rem;font:inherit}}[role=alert]{{color:#ff7b72}}</style></head>
<body><h1>roundwatch</h1>{told}
<form method="post" action="{path}"><label for="token">{ask}</label>
<input id="token" name="{field}" type="password" autocomplete="off" autofocus required>
<button>{enter}</button></form><p>{where}</p></body></html>
"""


def login_page(texts: Texts, token_place: str, problem: str | None = None) -> str:
    """Return the page in the viewer's language.

    Args:
        token_place: the file that holds the token.
        problem: key of the text that says why the last try failed.
    """
    told = "" if problem is None else f'<p role="alert">{escape(texts(problem))}</p>'
    return _PAGE.format(
        lang=escape(texts.locale),
        told=told,
        path=LOGIN_PATH,
        ask=escape(texts("cli.web.ask")),
        field=FIELD,
        enter=escape(texts("cli.web.enter")),
        where=escape(texts("cli.web.where", file=token_place)),
    )
