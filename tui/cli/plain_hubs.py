"""Watching several hubs without a screen: each is followed by itself, and every line says which one it is of."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ...core.rounds import Outcome
from ...core.texts.clean import clean
from ..source import NamedSource
from .context import Context
from .failure import CommandFailed
from .plain import follow

MOST_NAME = 40
"""Characters of a hub's name before every line."""


async def follow_all(sources: Sequence[NamedSource], context: Context) -> list[Outcome]:
    """Report the rounds of all these hubs as they end; one that refuses us is told, and the others go on.

    Raises:
        CommandFailed: none of them will have us; the last refusal.
    """
    refused: list[CommandFailed] = []

    async def one(named: NamedSource) -> list[Outcome]:
        name = clean(named.name, limit=MOST_NAME)
        try:
            return await follow(named.source, context, hub=name)
        except CommandFailed as failed:
            refused.append(failed)
            if len(refused) == len(sources):
                raise
            context.output.note(f"[{name}] {context.put(failed.key, failed.values)}")
            return []

    told = await asyncio.gather(*map(one, sources))
    return [outcome for outcomes in told for outcome in outcomes]
