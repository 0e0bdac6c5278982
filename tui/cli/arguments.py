"""What each command takes; every word of help comes from the text tables."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .help_texts import WIRES, HelpTexts
from .numbers import count, port, quantity, seconds, speed
from .store_place import store_argument

CAPTURES = ("none", "preview", "full")
"""Written out again because the feeds are not loaded for a parser."""
AGENTS = ("amplifier", "claude-code", "codex", "codex-exec-json", "gemini-cli", "inspect", "opencode", "pi")
"""Sources of transcripts, written out again for the same reason."""
SYNCHRONOUS = ("full", "normal")
EXPORTS = ("events", "json", "markdown", "svg")


class Options:
    """Adds arguments to one parser and remembers them, for whoever lists them."""

    def __init__(self, parser: argparse.ArgumentParser, words: HelpTexts, name: str = "") -> None:
        self.parser = parser
        self.words = words
        self.name = name
        """Of the command, as its help texts are called; empty for the program itself."""
        self.actions: list[argparse.Action] = []
        self.below: dict[str, Options] = {}
        """Commands of this command."""
        self._where: argparse.ArgumentParser | Any = parser  # or one of its groups, whose class argparse keeps private

    def group(self, name: str) -> None:
        """Put what follows under a heading of its own."""
        self._where = self.parser.add_argument_group(self.words(f"group.{name}"))

    def add(self, *names: str, about: str, **how: Any) -> None:
        """Add one argument; ``about`` names its help text, ``how`` is argparse's business."""
        self.actions.append(self._where.add_argument(*names, help=self.words(f"option.{about}"), **how))

    def add_commands(self, commands: Mapping[str, Callable[[Options], None]], *, dest: str, required: bool) -> None:
        """Add commands below; each is named ``dest`` in what was parsed, and takes what every command takes."""
        parsers = self.parser.add_subparsers(
            dest=dest,
            required=required,
            metavar=self.words("group.command"),
            title=self.words("group.commands"),
            parser_class=type(self.parser),
        )
        for name, add in commands.items():
            text_name = f"{self.name}_{name}" if self.name else name
            shape = self.words.presentation(f"{self.parser.prog} {name}", text_name)
            parser = parsers.add_parser(name, help=self.words(f"short.{text_name}"), **shape)
            self.below[name] = below = Options(parser, self.words, text_name)
            below.group("arguments")
            add(below)
            below.add_general()

    def add_general(self) -> None:
        """Add what every command takes."""
        self.group("general")
        self.add("-h", "--help", action="help", about="help")
        self.add("--locale", metavar="LANG", default=argparse.SUPPRESS, about="locale")
        self.add("--config", metavar="FILE", type=Path, default=argparse.SUPPRESS, about="config")


def _input(options: Options) -> None:
    options.add("file", metavar="FILE", about="file")


def _token(options: Options) -> None:
    options.add("--token-file", metavar="FILE", type=Path, about="token_file")
    options.add("--ca-file", metavar="FILE", type=Path, about="ca_file")


def _store(options: Options) -> None:
    options.add("--store", metavar="FILE|URL", type=store_argument, about="store")
    options.add("--redis-file", metavar="FILE", type=Path, about="redis_file")


def _screen(options: Options) -> None:
    options.add("--no-mouse", action="store_true", about="no_mouse")


def _watch(options: Options) -> None:
    options.add("hubs", metavar="URL", nargs="*", about="hubs")
    options.add("--live", action="store_true", about="live")
    options.add("--web", action="store_true", about="web")
    options.add("--web-port", metavar="N", type=port, about="web_port")
    _screen(options)
    _token(options)


def _demo(options: Options) -> None:
    options.add("--speed", metavar="N", type=speed, default=1.0, about="speed")
    options.add("--seconds", metavar="N", type=seconds, about="seconds")
    options.add("--list", action="store_true", about="list")
    options.add("--only", metavar="NAME", about="only")
    _screen(options)


def _hub(options: Options) -> None:
    options.add("--host", metavar="HOST", about="hub_host")
    options.add("--port", metavar="N", type=port, about="port")
    _store(options)
    options.add("--allow-volatile", action="store_true", about="allow_volatile")
    options.add("--keep", metavar="N", type=count, about="keep")
    options.add("--keep-days", metavar="N", type=quantity, about="keep_days")
    options.add("--keep-gib", metavar="N", type=quantity, about="keep_gib")
    options.add("--synchronous", choices=SYNCHRONOUS, about="synchronous")
    options.add("--check", action="store_true", about="check")
    options.add("--backup", metavar="FILE", type=Path, about="backup")
    options.add("--tokens", metavar="FILE", type=Path, about="tokens")
    options.add("--no-auth", action="store_true", about="no_auth")
    options.add("--tls-cert", metavar="FILE", type=Path, about="hub_tls_cert")
    options.add("--tls-key", metavar="FILE", type=Path, about="tls_key")
    options.add("--insecure", action="store_true", about="insecure")
    options.add("--host-name", metavar="NAME", action="append", default=[], about="host_name")
    options.add("--origin", metavar="URL", action="append", default=[], about="origin")
    options.add("--redact", metavar="FILE", type=Path, about="redact")
    options.add("--log-json", action="store_true", about="log_json")
    options.add("--no-supervision", action="store_true", about="no_supervision")


def _proxy(options: Options) -> None:
    options.add("--upstream", metavar="NAME=URL", action="append", default=[], about="upstream")
    options.add("--host", metavar="HOST", default="127.0.0.1", about="host")
    options.add("--port", metavar="N", type=port, about="proxy_port")
    options.add("--tls-cert", metavar="FILE", type=Path, about="tls_cert")
    options.add("--tls-key", metavar="FILE", type=Path, about="tls_key")
    options.add("--capture", choices=CAPTURES, default="preview", about="capture")
    options.add("--idle", metavar="N", type=seconds, default=900.0, about="idle")
    options.add("--to", metavar="URL", about="to")
    _token(options)
    options.add("--print-env", action="store_true", about="print_env")


def _follow(options: Options) -> None:
    options.add("paths", metavar="PATH", nargs="*", type=Path, about="follow_paths")
    options.add("--source", choices=AGENTS, about="source")
    options.add("--since", metavar="WHEN", about="since")
    options.add("--to", metavar="URL", about="follow_to")
    _token(options)
    options.add("--once", action="store_true", about="once")
    options.add("--list", action="store_true", about="follow_list")


def _replay(options: Options) -> None:
    _input(options)
    options.add("--speed", metavar="N", type=speed, default=1.0, about="speed")
    _screen(options)


def _publish(options: Options) -> None:
    _input(options)
    options.add("--to", metavar="URL", about="to")
    _token(options)


def _classify(options: Options) -> None:
    _input(options)
    options.add("--json", action="store_true", about="json")


def _translate(options: Options) -> None:
    _input(options)
    options.add("--format", metavar="WIRE", choices=WIRES, required=True, about="format")
    options.add("--round", metavar="ID", default="r1", about="round")
    options.add("--call", metavar="ID", default="c1", about="call")
    options.add("--whole-round", action="store_true", about="whole_round")
    options.add("--http-status", metavar="N", type=count, default=200, about="http_status")
    options.add("--request", metavar="FILE", type=Path, about="request")
    options.add("--broken", metavar="WHY", about="broken")


def _rounds(options: Options) -> None:
    options.add_commands(
        {"list": _rounds_list, "show": _rounds_show, "export": _rounds_export}, dest="action", required=True
    )


def _rounds_list(options: Options) -> None:
    _store(options)
    options.add("--json", action="store_true", about="json")


def _rounds_show(options: Options) -> None:
    options.add("ids", metavar="ID", nargs="+", about="ids")
    _store(options)
    options.add("--json", action="store_true", about="json")


def _rounds_export(options: Options) -> None:
    options.add("ids", metavar="ID", nargs="*", about="ids_or_all")
    _store(options)
    options.add("--format", choices=EXPORTS, default=EXPORTS[0], about="export_format")


def _banner(options: Options) -> None:
    options.add("--svg", metavar="DIR", type=Path, about="svg")


COMMANDS: dict[str, Callable[[Options], None]] = {
    "watch": _watch,
    "demo": _demo,
    "hub": _hub,
    "proxy": _proxy,
    "follow": _follow,
    "replay": _replay,
    "publish": _publish,
    "classify": _classify,
    "translate": _translate,
    "rounds": _rounds,
    "banner": _banner,
}
"""Each command and what adds its arguments, in the order of the help; its module has the same name."""
