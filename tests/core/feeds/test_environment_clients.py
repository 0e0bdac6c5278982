"""The variables of ``proxy --print-env`` lead each real client to the proxy, with nothing else said to it."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest
from roundwatch.core.feeds import Observer, Upstream, Upstreams
from roundwatch.core.feeds.environment import VARIABLES, variables
from roundwatch.core.feeds.proxy import Proxy
from roundwatch.core.rounds import Event, Ledger, classify
from roundwatch.core.runner.scripted_provider import ScriptedProvider

from tests.core.feeds.scripts import SAID, scripts

PROGRAMS = {
    "openai-chat": (
        "import openai; r = openai.OpenAI().chat.completions.create(model='answer',"
        " messages=[{'role': 'user', 'content': 'Where?'}]); print(r.choices[0].message.content)"
    ),
    "openai-responses": (
        "import openai; print(openai.OpenAI().responses.create(model='answer', input='Where?').output_text)"
    ),
    "anthropic": (
        "import anthropic; r = anthropic.Anthropic().messages.create(model='answer', max_tokens=9,"
        " messages=[{'role': 'user', 'content': 'Where?'}]); print(r.content[-1].text)"
    ),
    "gemini": (
        "from google import genai; c = genai.Client();"
        " print(c.models.generate_content(model='answer', contents='Where?').text)"
    ),
    "ollama": (
        "import ollama; r = ollama.chat(model='answer', messages=[{'role': 'user', 'content': 'Where?'}]);"
        " print(r.message.content)"
    ),
}
KEYS = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), "a-key-of-the-test")


@pytest.mark.parametrize("wire", PROGRAMS)
async def test_a_client_with_only_these_variables_asks_through_the_proxy(wire: str) -> None:
    ledger = Ledger()

    async def publish(event: Event) -> None:
        ledger.apply(event)

    async with ScriptedProvider(scripts(wire), speed=100.0) as provider:
        upstreams = Upstreams([Upstream.parse(name, provider.base_url) for name, _, _ in VARIABLES])
        async with Observer(publish) as observer, Proxy(upstreams, observer, port=0) as proxy:
            environment = {"PATH": os.defpath, **KEYS, **variables(proxy.url)}
            program = await asyncio.create_subprocess_exec(
                *(sys.executable, "-W", "ignore", "-c", PROGRAMS[wire]), env=environment, stdout=asyncio.subprocess.PIPE
            )
            said, _ = await asyncio.wait_for(program.communicate(), 120)

    (round_,) = ledger.rounds.values()
    assert said.decode().strip() == SAID
    assert classify(round_).is_answer
    assert round_.calls[0].wire == wire
