"""Four tools that really work, in one folder and nowhere else: read, list, search, write. No shell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from .folder import Folder, NotAllowed
from .tools import Approve, Arguments, Permission, Tool, ToolContext, ToolFailed

MAX_LISTED = 500
MAX_HITS = 100
MAX_SEARCHED_BYTES = 8 * 1024 * 1024
LINE_CHARS = 200
"""Of a line with a hit; the rest of a longer one is left out."""


def file_tools(
    folder: Folder, *, write: Permission = Permission.ASK, approve: Approve | None = None
) -> tuple[Tool, ...]:
    """Return ``read_file``, ``list_files``, ``search_text`` and ``write_file`` for ``folder``.

    Args:
        write: whether a write is asked about, allowed or forbidden.
        approve: who is asked; where it is nobody, a write that would have to be asked about is not made.
    """
    return (
        _tool("read_file", "Read a text file.", {"path": "Where, relative to the folder."}, _read, folder),
        _tool("list_files", "List files and their sizes.", {"path?": "A folder; all of it by default."}, _list, folder),
        _tool(
            "search_text",
            "Find the lines that contain a text, letter by letter.",
            {"text": "What to look for.", "path?": "A folder; all of it by default."},
            _search,
            folder,
        ),
        _tool(
            "write_file",
            "Write a text file; one of that name is replaced.",
            {"path": "Where, relative to the folder.", "content": "All of its text."},
            _write,
            folder,
            write,
            approve,
        ),
    )


Work = Callable[[Folder, Mapping[str, str]], str]


def _tool(
    name: str,
    description: str,
    wants: Mapping[str, str],
    work: Work,
    folder: Folder,
    permission: Permission = Permission.ALLOW,
    approve: Approve | None = None,
) -> Tool:
    """Make a tool of ``work``; a name in ``wants`` that ends with ``?`` may be left out."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        given = _given(wants, arguments)
        try:
            return await asyncio.to_thread(work, folder, given)  # files may be slow, and nothing may block the loop
        except NotAllowed as error:
            raise ToolFailed(str(error)) from error
        except OSError as error:
            raise ToolFailed(
                f"{given.get('path', '.')[:LINE_CHARS]}: {error.strerror or type(error).__name__}"
            ) from error

    return Tool(name, run, description, _schema(wants), permission, approve)


def _schema(wants: Mapping[str, str]) -> Mapping[str, Any]:
    properties = {name.rstrip("?"): {"type": "string", "description": said} for name, said in wants.items()}
    required = [name for name in wants if not name.endswith("?")]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _given(wants: Mapping[str, str], arguments: Arguments) -> dict[str, str]:
    given: dict[str, str] = {}
    for name in wants:
        value = arguments.get(name.rstrip("?"))
        if isinstance(value, str):
            given[name.rstrip("?")] = value
        elif value is not None or not name.endswith("?"):
            raise ToolFailed(f"{name.rstrip('?')}: a text is wanted")
    return given


def _read(folder: Folder, given: Mapping[str, str]) -> str:
    return _text(given["path"], folder.read(given["path"]))


def _list(folder: Folder, given: Mapping[str, str]) -> str:
    lines: list[str] = []
    for entry in folder.walk(given.get("path", ".")):
        if len(lines) == MAX_LISTED:
            lines.append(f"… more than {MAX_LISTED} entries; name a smaller folder")
            break
        lines.append(f"{entry.path}/" if entry.size is None else f"{entry.path}  {entry.size} bytes")
    return "\n".join(lines) or "nothing"


def _search(folder: Folder, given: Mapping[str, str]) -> str:
    wanted, hits, searched = given["text"], list[str](), 0
    if not wanted:
        raise ToolFailed("text: nothing to look for")
    for entry in folder.walk(given.get("path", ".")):
        if entry.size is None:
            continue
        try:
            content = folder.read(entry.path)
            text = _text(entry.path, content)
        except (NotAllowed, ToolFailed, OSError):  # too large, no text, or gone meanwhile: nothing to search
            continue
        searched += len(content)
        for number, line in enumerate(text.splitlines(), 1):
            if wanted in line:
                hits.append(f"{entry.path}:{number}: {line.strip()[:LINE_CHARS]}")
        if len(hits) > MAX_HITS or searched > MAX_SEARCHED_BYTES:
            return "\n".join((*hits[:MAX_HITS], "… and maybe more; name a smaller folder"))
    return "\n".join(hits) or "no line contains it"


def _write(folder: Folder, given: Mapping[str, str]) -> str:
    content = given["content"].encode(errors="replace")
    folder.write(given["path"], content)
    return f"written: {len(content)} bytes"


def _text(path: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ToolFailed(f"{path}: not a text in UTF-8") from None
