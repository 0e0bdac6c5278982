"""Which formats there are, and which one a file is in."""

from __future__ import annotations

from importlib import import_module

from .fields import Object, object_of
from .linked import LinkedTranscript
from .seen import Seen
from .surrogates import from_any_json
from .transcript import Transcript

FORMATS: dict[str, tuple[str, str]] = {
    "claude-code": ("claude_code", "ClaudeCode"),
    "codex": ("codex", "Codex"),
    "codex-exec-json": ("codex_exec", "CodexExec"),
    "pi": ("pi", "Pi"),
    "opencode": ("opencode", "Opencode"),
    "gemini-cli": ("gemini_cli", "GeminiCli"),
    "gemini-cli-json": ("gemini_cli", "GeminiCliDocument"),
    "inspect": ("inspect_eval", "InspectEval"),
    "amplifier": ("amplifier", "Amplifier"),
}
"""By name, the module and class of its parser; loaded when it is needed."""
SOURCES = tuple(name for name in FORMATS if name != "gemini-cli-json")
"""What an operator can name; both forms of the Gemini CLI are one source."""
HEAD_BYTES = 256 * 1024
LINES_LOOKED_AT = 20
CLAUDE_TYPES = frozenset(
    ("user", "assistant", "system", "summary", "progress", "attachment", "file-history-snapshot", "queue-operation")
)
CLAUDE_MEMBERS = frozenset(("sessionId", "uuid", "leafUuid", "operation", "messageId", "message"))
CODEX_TYPES = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
CODEX_ITEMS = frozenset(("message", "reasoning", "function_call", "function_call_output"))
EXEC_TYPES = ("thread.", "turn.", "item.")


def parser_class(name: str) -> type[Transcript]:
    """Return the parser of a format; raises KeyError for a name that is none."""
    module, found = FORMATS[name]
    loaded: type[Transcript] = getattr(import_module(f".{module}", __package__), found)
    return loaded


def parser(
    name: str, path: str = "", seen: Seen | None = None, *, owner: str | None = None, branch: str = ""
) -> Transcript:
    """Return a parser at the beginning of a transcript.

    Args:
        name: the format's.
        path: of the file; names the session where no record does. One file has one name, whenever it is read.
        seen: what the other files of the same source told; without it, what a forked session copied counts again.
        owner: what the file goes by in ``seen``; None: its path.
        branch: see ``LinkedTranscript``.

    Raises:
        KeyError: no such format.
    """
    found = parser_class(name)
    if issubclass(found, LinkedTranscript):
        return found(path, seen, owner=owner, branch=branch)
    return found()


def source_of(name: str) -> str:
    """Return the source that a format belongs to."""
    return "gemini-cli" if name == "gemini-cli-json" else name


def sniff(head: bytes) -> str | None:
    """Return the format of a file from its first bytes (up to ``HEAD_BYTES`` are looked at); None: not known."""
    head = head[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf")
    if head.startswith(b"PK\x03\x04"):
        return "inspect"
    for line in head.split(b"\n", LINES_LOOKED_AT)[:LINES_LOOKED_AT]:
        try:
            record = object_of(from_any_json(line)) if line.strip() else {}
        except ValueError:
            continue
        if record and (name := _format_of(record)) is not None:
            return name
    return _document(head)


def _document(head: bytes) -> str | None:
    """Return the format of one object over many lines, of which the beginning is enough."""
    if not head.lstrip().startswith(b"{"):
        return None
    if (b'"messages"' in head and b'"sessionId"' in head) or (b'"history"' in head and b'"parts"' in head):
        return "gemini-cli-json"
    if any(name in head for name in (b'"sessionID"', b'"messageID"', b'"projectID"')):
        return "opencode"
    return None


def _format_of(record: Object) -> str | None:
    kind = record.get("type")
    word = kind if isinstance(kind, str) else ""
    if object_of(record.get("schema")).get("name") == "amplifier.log":
        return "amplifier"
    if word == "session" and "cwd" in record:
        return "pi"
    if word.startswith(EXEC_TYPES):
        return "codex-exec-json"
    if word in CODEX_TYPES and "payload" in record:
        return "codex"
    if "sessionId" in record and ("projectHash" in record or "startTime" in record):
        return "gemini-cli-json" if record.get("messages") else "gemini-cli"
    if word in CLAUDE_TYPES and not CLAUDE_MEMBERS.isdisjoint(record):
        return "claude-code"
    if any(name in record for name in ("sessionID", "messageID", "projectID")):
        return "opencode"
    if any(isinstance(record.get(name), dict) for name in ("session", "message", "part")) and len(record) == 1:
        return "opencode"
    if word in CODEX_ITEMS or {"id", "timestamp", "instructions"} <= record.keys():
        return "codex"
    return None
