"""Completion for shells, made from the command line itself so that it cannot lag behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .arguments import Options
from .parser import PROGRAM


@dataclass(frozen=True, slots=True)
class Word:
    """An option that may be typed, and what it does."""

    text: str
    about: str
    values: tuple[str, ...]
    """What may follow it, where that is a choice."""
    takes_value: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command with all that may follow it."""

    name: str
    about: str
    below: tuple[str, ...]
    """Commands of this command."""
    options: tuple[Word, ...]


def script(shell: str, line: Options) -> str:
    """Return the completion script for ``bash``, ``zsh`` or ``fish``."""
    commands = [
        Command(name, _plain(line.words(f"short.{name}")), tuple(options.below), tuple(_all_words(options)))
        for name, options in line.below.items()
    ]
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]
    return "\n".join(write(commands, list(_words(line))))


def _bash(commands: list[Command], general: list[Word]) -> Iterator[str]:
    yield f"_{PROGRAM}() {{"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"'
    yield '    case "$command:$before" in'
    for command in commands:
        for option in command.options:
            if option.values:
                yield f"        {command.name}:{option.text}) {_bash_reply(option.values)}; return;;"
        if command.below:
            yield f"        {command.name}:{command.name}) {_bash_reply(command.below)}; return;;"
    yield "    esac"
    first = (*(command.name for command in commands), *(option.text for option in general))
    yield f"    if ((COMP_CWORD == 1)); then {_bash_reply(first)}; return; fi"
    yield '    [[ "$word" == -* ]] || return'
    yield '    case "$command" in'
    for command in commands:
        yield f"        {command.name}) {_bash_reply(tuple(option.text for option in command.options))};;"
    yield "    esac"
    yield "}"
    yield f"complete -o default -F _{PROGRAM} {PROGRAM}"


def _bash_reply(words: tuple[str, ...]) -> str:
    return f'COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$word"))'


def _zsh(commands: list[Command], general: list[Word]) -> Iterator[str]:
    yield f"#compdef {PROGRAM}"
    yield f"_{PROGRAM}() {{"
    yield "    if ((CURRENT == 2)); then"
    yield "        local -a commands=("
    for command in commands:
        yield f"            {_quoted(f'{command.name}:{command.about}')}"
    yield "        )"
    yield "        _describe command commands"
    yield f"        _arguments {' '.join(map(_zsh_option, general))}"
    yield "        return"
    yield "    fi"
    yield '    case "${words[2]}" in'
    for command in commands:
        below = f" '2:command:({' '.join(command.below)})'" if command.below else ""
        options = " ".join(map(_zsh_option, command.options))
        yield f"        {command.name}) _arguments {options}{below} '*:file:_files';;"
    yield "    esac"
    yield "}"
    yield f"compdef _{PROGRAM} {PROGRAM}"


def _zsh_option(option: Word) -> str:
    about = option.about.replace("[", "(").replace("]", ")").replace(":", " –")
    value = f":value:({' '.join(option.values)})" if option.values else ":value:_files" if option.takes_value else ""
    return _quoted(f"{option.text}[{about}]{value}")


def _fish(commands: list[Command], general: list[Word]) -> Iterator[str]:
    alone = _quoted(f"not __fish_seen_subcommand_from {' '.join(command.name for command in commands)}")
    for command in commands:
        yield f"complete -c {PROGRAM} -f -n {alone} -a {command.name} -d {_quoted(command.about)}"
    for option in general:
        yield f"complete -c {PROGRAM} -n {alone} {_fish_option(option)}"
    for command in commands:
        after = _quoted(f"__fish_seen_subcommand_from {command.name}")
        if command.below:
            yield f"complete -c {PROGRAM} -f -n {after} -a {_quoted(' '.join(command.below))}"
        for option in command.options:
            yield f"complete -c {PROGRAM} -n {after} {_fish_option(option)}"


def _fish_option(option: Word) -> str:
    form = f"-l {option.text[2:]}" if option.text.startswith("--") else f"-s {option.text[1:]}"
    value = f" -x -a {_quoted(' '.join(option.values))}" if option.values else " -r" if option.takes_value else ""
    return f"{form}{value} -d {_quoted(option.about)}"


def _quoted(text: str) -> str:
    """Return ``text`` as one word that no shell looks into."""
    return "'" + re.sub(r"\s+", " ", text).replace("'", "’") + "'"


def _plain(help_text: str) -> str:
    return help_text.replace("%%", "%")


def _words(options: Options) -> Iterator[Word]:
    for action in options.actions:
        values = tuple(map(str, action.choices or ()))
        for option in action.option_strings:
            yield Word(option, _plain(action.help or ""), values, action.nargs != 0)


def _all_words(options: Options) -> Iterator[Word]:
    """Yield the options of a command and of the commands below it, each once."""
    seen: set[str] = set()
    for each in (options, *options.below.values()):
        for word in _words(each):
            if word.text not in seen:
                seen.add(word.text)
                yield word
