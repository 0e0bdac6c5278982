"""The agents and models of the demo."""

from __future__ import annotations

from dataclasses import replace

from .agents import Agent, Model, Price
from .catalogue import Catalogue
from .demo_scene import CLAUDE, CLAUDE_SMALL, GPT, GPT_SMALL, KEYLESS, LOCAL
from .demo_tools import Stage, files, tools
from .messages import Message

KEY = "demo"  # the scripted provider asks for none; a model without one is a scene of its own


def models(base_url: str) -> list[Model]:
    """Return the models, all served at ``base_url``."""
    openai = Model(
        GPT, "openai", "openai-chat", base_url, KEY,
        max_output_tokens=1_024, context_window=400_000, price=Price(1.25, 10.0),
    )  # fmt: skip
    anthropic = Model(
        CLAUDE, "anthropic", "anthropic", base_url, KEY,
        max_output_tokens=2_048, context_window=200_000, price=Price(3.0, 15.0),
    )  # fmt: skip
    return [
        openai,
        replace(openai, name=GPT_SMALL, max_output_tokens=120, price=Price(0.25, 2.0)),
        replace(openai, name=LOCAL, provider="local", needs_key=False, context_window=32_768, price=None),
        replace(openai, name=KEYLESS, provider="xai", api_key=None),
        anthropic,
        replace(anthropic, name=CLAUDE_SMALL, max_output_tokens=512, price=Price(1.0, 5.0)),
    ]


def agents(stage: Stage) -> Catalogue:
    """Return the agents for one scene; one of them exists and cannot be built."""
    hands = tools(stage)
    cast = (
        Agent("harbour-clerk", "You plan the berths of a small harbour.", GPT, hands),
        Agent("accounts", "You answer questions about tariffs and invoices.", CLAUDE, hands),
        Agent("writer", "You write letters and the handbook.", GPT, hands),
        Agent("archivist", "You search the archive.", CLAUDE, hands),
        Agent("archivist-beta", "You search the archive.", CLAUDE, hands, prepare=_lost_template),
        Agent("reviewer", "You review branches.", CLAUDE, hands),
        Agent("surveyor", "You know the quays.", CLAUDE_SMALL, files(stage)),
    )
    catalogue = Catalogue(cast)
    catalogue.add_build("meteorologist", _no_weather)
    return catalogue


def _no_weather() -> Agent:
    raise FileNotFoundError("agents/meteorologist.md: no such file")


async def _lost_template(messages: list[Message]) -> list[Message]:
    """Compaction of an unfinished agent: it fails as soon as there is something to compact."""
    if len(messages) > 1:
        raise FileNotFoundError("prompts/compaction.md: no such file")
    return messages
