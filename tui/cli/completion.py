"""Completion for shells, made from the parser itself so that it cannot lag behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .arguments import Options
from .parser import PROGRAM, CommandLine


@dataclass(frozen=True, slots=True)
class Word:
    """One word that may be typed, and what it does."""

    text: str
    about: str
    values: tuple[str, ...] = ()
    """Of an option: what may follow it."""
    takes_value: bool = False


def script(shell: str, line: CommandLine) -> str:
    """Return the completion script for ``bash``, ``zsh`` or ``fish``."""
    commands = {name: list(_words(options)) for name, options in line.commands.items()}
    about = {name: options.words(f"short.{name}").replace("%%", "%") for name, options in line.commands.items()}
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]
    return "\n".join(write(commands, about, list(_words(line.general))))


def _bash(commands: dict[str, list[Word]], about: dict[str, str], general: list[Word]) -> Iterator[str]:
    yield f"_{PROGRAM}() {{"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"'
    yield '    case "$command:$before" in'
    for name, words in commands.items():
        for word in words:
            if word.values:
                values = f'COMPREPLY=($(compgen -W "{" ".join(word.values)}" -- "$word"))'
                yield f"        {name}:{word.text}) {values}; return;;"
    yield "    esac"
    yield "    if ((COMP_CWORD == 1)); then"
    first = " ".join([*commands, *(word.text for word in general)])
    yield f'        COMPREPLY=($(compgen -W "{first}" -- "$word")); return'
    yield "    fi"
    yield '    case "$command" in'
    for name, words in commands.items():
        texts = " ".join(word.text for word in words)
        yield f'        {name}) [[ "$word" == -* ]] && COMPREPLY=($(compgen -W "{texts}" -- "$word"));;'
    yield "    esac"
    yield "}"
    yield f"complete -o default -F _{PROGRAM} {PROGRAM}"


def _zsh(commands: dict[str, list[Word]], about: dict[str, str], general: list[Word]) -> Iterator[str]:
    yield f"#compdef {PROGRAM}"
    yield f"_{PROGRAM}() {{"
    yield "    if ((CURRENT == 2)); then"
    yield "        local -a commands=("
    for name in commands:
        yield f"            {_quoted(f'{name}:{about[name]}')}"
    yield "        )"
    yield "        _describe command commands"
    yield f"        _arguments {' '.join(map(_zsh_option, general))}"
    yield "        return"
    yield "    fi"
    yield '    case "${words[2]}" in'
    for name, words in commands.items():
        yield f"        {name}) _arguments {' '.join(map(_zsh_option, words))} '*:file:_files';;"
    yield "    esac"
    yield "}"
    yield f"compdef _{PROGRAM} {PROGRAM}"


def _zsh_option(word: Word) -> str:
    about = word.about.replace("[", "(").replace("]", ")").replace(":", " -")
    value = f":value:({' '.join(word.values)})" if word.values else ":value:_files" if word.takes_value else ""
    return _quoted(f"{word.text}[{about}]{value}")


def _fish(commands: dict[str, list[Word]], about: dict[str, str], general: list[Word]) -> Iterator[str]:
    alone = f"not __fish_seen_subcommand_from {' '.join(commands)}"
    for name in commands:
        yield f"complete -c {PROGRAM} -f -n {_quoted(alone)} -a {name} -d {_quoted(about[name])}"
    for word in general:
        yield f"complete -c {PROGRAM} -n {_quoted(alone)} {_fish_option(word)}"
    for name, words in commands.items():
        for word in words:
            yield f"complete -c {PROGRAM} -n {_quoted(f'__fish_seen_subcommand_from {name}')} {_fish_option(word)}"


def _fish_option(word: Word) -> str:
    form = f"-l {word.text[2:]}" if word.text.startswith("--") else f"-s {word.text[1:]}"
    value = f" -x -a {_quoted(' '.join(word.values))}" if word.values else " -r" if word.takes_value else ""
    return f"{form}{value} -d {_quoted(word.about)}"


def _quoted(text: str) -> str:
    """Return ``text`` as one word that no shell looks into."""
    return "'" + re.sub(r"\s+", " ", text).replace("'", "’") + "'"


def _words(options: Options) -> Iterator[Word]:
    for action in options.actions:
        values = tuple(map(str, action.choices or ()))
        for option in action.option_strings:
            yield Word(option, (action.help or "").replace("%%", "%"), values, action.nargs != 0)
