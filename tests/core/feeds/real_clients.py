"""The real client libraries, each asked the same way, and what each makes of the answer by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import anthropic
import httpx
import httpx2
import ollama
import openai
from google import genai
from google.genai import types

KEY = "sk-a-key-that-nobody-may-see"
USER = "Where is the harbour?"
PATIENCE_S = 20.0
TOOL = {"name": "look", "description": "Looks.", "schema": {"type": "object", "properties": {"at": {"type": "string"}}}}
FUNCTION = {"name": TOOL["name"], "description": TOOL["description"], "parameters": TOOL["schema"]}


@dataclass
class View:
    """What a library tells its caller of one answer; None = it does not say."""

    text: str = ""
    finish: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    tools: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    """Name and id."""
    said: Any = None
    """The answer as the next request has to bring it back."""
    raised: str | None = None
    """The exception that the library raised, by its name."""

    def counts(self, input_tokens: int | None, output_tokens: int | None) -> None:
        """Take in a report; a later one wins."""
        self.input_tokens = self.input_tokens if input_tokens is None else input_tokens
        self.output_tokens = self.output_tokens if output_tokens is None else output_tokens


@dataclass(frozen=True)
class Library:
    """One client library on one wire."""

    wire: str
    path: str
    """What its base address has behind the proxy's."""
    open: Callable[[str, bool, Any], Any]
    """Its client for a base address, asynchronous or not, with an HTTP client or transport of the test's."""
    ask: Callable[[Any, str, bool, Any], Any]
    """Sends a conversation."""
    read: Callable[[View, Any], None]
    """Takes in one item of an answer, or the whole of it."""
    opening: Callable[[], Any]
    """A conversation of one question."""
    answered: Callable[[Any, View, str], Any]
    """A conversation, the model's tool calls and a result for each."""


def conversation() -> list[Any]:
    """Return a conversation of one question, as most wires write it."""
    return [{"role": "user", "content": USER}]


def open_openai(base: str, is_async: bool, http: Any) -> Any:
    """Return a client of the OpenAI library."""
    kind = openai.AsyncOpenAI if is_async else openai.OpenAI
    return kind(base_url=base, api_key=KEY, max_retries=0, timeout=PATIENCE_S, http_client=http)


def ask_chat(client: Any, model: str, streamed: bool, messages: Any) -> Any:
    """Ask over Chat Completions."""
    more: dict[str, Any] = {"stream_options": {"include_usage": True}} if streamed else {}
    tools = [{"type": "function", "function": FUNCTION}]
    return client.chat.completions.create(model=model, messages=messages, stream=streamed, tools=tools, **more)


def read_chat(view: View, item: Any) -> None:
    """Take in a chunk or a completion."""
    if item.usage is not None:
        view.counts(item.usage.prompt_tokens, item.usage.completion_tokens)
    for choice in item.choices:
        message: Any = getattr(choice, "message", None) or choice.delta
        view.text += message.content or ""
        view.finish = choice.finish_reason or view.finish
        calls: list[Any] = message.tool_calls or []
        view.tools += [(call.function.name, call.id) for call in calls if call.function.name]


def answered_chat(messages: Any, view: View, result: str) -> Any:
    """Return the conversation with results."""
    calls = [
        {"id": id_, "type": "function", "function": {"name": name, "arguments": '{"at": "east"}'}}
        for name, id_ in view.tools
    ]
    results = [{"role": "tool", "tool_call_id": id_, "content": result} for _, id_ in view.tools]
    return [*messages, {"role": "assistant", "content": None, "tool_calls": calls}, *results]


def ask_responses(client: Any, model: str, streamed: bool, messages: Any) -> Any:
    """Ask over the Responses API; a conversation goes on by the id of the response before."""
    previous = messages[0].get("previous") if messages else None
    more = {"previous_response_id": previous} if previous else {}
    tools = [{"type": "function", "strict": False, **FUNCTION}]
    given = messages[1:] if previous else messages
    return client.responses.create(model=model, input=given, stream=streamed, tools=tools, **more)


def read_responses(view: View, item: Any) -> None:
    """Take in an event or a response."""
    response = item if hasattr(item, "output") else getattr(item, "response", None)
    if getattr(item, "type", "") == "response.output_text.delta":
        view.text += item.delta
    if response is None:
        return
    view.said = response.id
    if response.status != "in_progress":
        view.finish = response.status
        view.text = response.output_text
        view.tools = [(call.name, call.call_id) for call in response.output if call.type == "function_call"]
    if response.usage is not None:
        view.counts(response.usage.input_tokens, response.usage.output_tokens)


def answered_responses(messages: Any, view: View, result: str) -> Any:
    """Return only the results, and the response that they answer."""
    results = [{"type": "function_call_output", "call_id": id_, "output": result} for _, id_ in view.tools]
    return [{"previous": view.said}, *results]


def open_anthropic(base: str, is_async: bool, http: Any) -> Any:
    """Return a client of the Anthropic library."""
    kind = anthropic.AsyncAnthropic if is_async else anthropic.Anthropic
    return kind(base_url=base, api_key=KEY, max_retries=0, timeout=PATIENCE_S, http_client=http)


def ask_anthropic(client: Any, model: str, streamed: bool, messages: Any) -> Any:
    """Ask over Messages."""
    tools = [{"name": TOOL["name"], "description": TOOL["description"], "input_schema": TOOL["schema"]}]
    return client.messages.create(model=model, max_tokens=64, messages=messages, stream=streamed, tools=tools)


def read_anthropic(view: View, item: Any) -> None:
    """Take in an event or a message."""
    message = (
        getattr(item, "message", None) if item.type == "message_start" else item if item.type == "message" else None
    )
    if message is not None:
        view.counts(message.usage.input_tokens, message.usage.output_tokens)
        view.finish = message.stop_reason
        view.text += "".join(block.text for block in message.content if block.type == "text")
        view.tools += [(block.name, block.id) for block in message.content if block.type == "tool_use"]
    elif item.type == "content_block_start" and item.content_block.type == "tool_use":
        view.tools.append((item.content_block.name, item.content_block.id))
    elif item.type == "content_block_delta" and item.delta.type == "text_delta":
        view.text += item.delta.text
    elif item.type == "message_delta":
        view.finish = item.delta.stop_reason
        view.counts(item.usage.input_tokens, item.usage.output_tokens)


def answered_anthropic(messages: Any, view: View, result: str) -> Any:
    """Return the conversation with results."""
    calls = [{"type": "tool_use", "id": id_, "name": name, "input": {"at": "east"}} for name, id_ in view.tools]
    results = [{"type": "tool_result", "tool_use_id": id_, "content": result} for _, id_ in view.tools]
    return [*messages, {"role": "assistant", "content": calls}, {"role": "user", "content": results}]


def open_gemini(base: str, is_async: bool, http: Any) -> Any:
    """Return the models of a client of Google's library."""
    slot = "httpx_async_client" if is_async else "httpx_client"
    options = types.HttpOptions(base_url=base, timeout=int(PATIENCE_S * 1000), **({} if http is None else {slot: http}))
    client = genai.Client(api_key=KEY, http_options=options)
    return client.aio if is_async else client


def ask_gemini(client: Any, model: str, streamed: bool, contents: Any) -> Any:
    """Ask over generateContent."""
    ask = client.models.generate_content_stream if streamed else client.models.generate_content
    declared = types.FunctionDeclaration(name="look", description="Looks.", parameters_json_schema=TOOL["schema"])
    return ask(
        model=model,
        contents=contents,
        config=types.GenerateContentConfig(tools=[types.Tool(function_declarations=[declared])]),
    )


def read_gemini(view: View, item: Any) -> None:
    """Take in a chunk or a response."""
    if item.usage_metadata is not None:
        view.counts(item.usage_metadata.prompt_token_count, item.usage_metadata.candidates_token_count)
    candidates: list[Any] = item.candidates or []
    for candidate in candidates:
        view.finish = candidate.finish_reason.value if candidate.finish_reason else view.finish
        parts: list[Any] = (candidate.content and candidate.content.parts) or []
        for part in parts:
            view.text += part.text or "" if not part.thought else ""
            if part.function_call:
                view.tools.append((part.function_call.name, part.function_call.id))


def answered_gemini(contents: Any, view: View, result: str) -> Any:
    """Return the conversation with results, which this wire takes as objects."""
    key = "error" if result.lower().startswith("error") else "output"
    calls = [{"function_call": {"name": name, "id": id_, "args": {"at": "east"}}} for name, id_ in view.tools]
    results = [{"function_response": {"name": name, "id": id_, "response": {key: result}}} for name, id_ in view.tools]
    return [*contents, {"role": "model", "parts": calls}, {"role": "user", "parts": results}]


def open_ollama(base: str, is_async: bool, http: Any) -> Any:
    """Return a client of Ollama's library; ``http`` is a transport."""
    more = {} if http is None else {"transport": http}
    kind = ollama.AsyncClient if is_async else ollama.Client
    return kind(host=base, timeout=PATIENCE_S, **more)


def ask_ollama(client: Any, model: str, streamed: bool, messages: Any) -> Any:
    """Ask over Ollama's own chat."""
    return client.chat(
        model=model, messages=messages, stream=streamed, tools=[{"type": "function", "function": FUNCTION}]
    )


def read_ollama(view: View, item: Any) -> None:
    """Take in a line or a response."""
    view.text += item.message.content or ""
    view.finish = item.done_reason or view.finish
    view.counts(item.prompt_eval_count, item.eval_count)
    calls: list[Any] = item.message.tool_calls or []
    view.tools += [(call.function.name, None) for call in calls]


def answered_ollama(messages: Any, view: View, result: str) -> Any:
    """Return the conversation with results, which carry no id."""
    calls = [{"function": {"name": name, "arguments": {"at": "east"}}} for name, _ in view.tools]
    results = [{"role": "tool", "tool_name": name, "content": result} for name, _ in view.tools]
    return [*messages, {"role": "assistant", "content": "", "tool_calls": calls}, *results]


def contents() -> list[Any]:
    """Return a conversation of one question, as Gemini writes it."""
    return [{"role": "user", "parts": [{"text": USER}]}]


LIBRARIES: Sequence[Library] = (
    Library("openai-chat", "/v1", open_openai, ask_chat, read_chat, conversation, answered_chat),
    Library("openai-responses", "/v1", open_openai, ask_responses, read_responses, conversation, answered_responses),
    Library("anthropic", "", open_anthropic, ask_anthropic, read_anthropic, conversation, answered_anthropic),
    Library("gemini", "", open_gemini, ask_gemini, read_gemini, contents, answered_gemini),
    Library("ollama", "", open_ollama, ask_ollama, read_ollama, conversation, answered_ollama),
)
BY_WIRE = {library.wire: library for library in LIBRARIES}
ERRORS = (
    openai.OpenAIError,
    anthropic.AnthropicError,
    genai.errors.APIError,
    ollama.ResponseError,
    httpx.HTTPError,
    httpx2.HTTPError,
)


def _asked(library: Library, base: str, model: str, streamed: bool, said: Any, http: Any) -> View:
    view, client = View(), library.open(base + library.path, False, http)
    try:
        answer = library.ask(client, model, streamed, said)
        for item in answer if streamed else [answer]:
            library.read(view, item)
    except ERRORS as error:
        view.raised = type(error).__name__
    finally:
        getattr(client, "close", lambda: None)()
        if http is not None:
            http.close()
    return view


async def _asked_async(library: Library, base: str, model: str, streamed: bool, said: Any, http: Any) -> View:
    view, client = View(), library.open(base + library.path, True, http)
    try:
        answer = await library.ask(client, model, streamed, said)
        if streamed:
            async for item in answer:
                library.read(view, item)
        else:
            library.read(view, answer)
    except ERRORS as error:
        view.raised = type(error).__name__
    finally:
        if close := getattr(client, "close", None) or getattr(client, "aclose", None):
            await close()
        if http is not None:
            await http.aclose()
    return view


async def asked(
    library: Library,
    base: str,
    model: str,
    *,
    streamed: bool,
    is_async: bool = False,
    said: Any = None,
    http: Any = None,
) -> View:
    """Return what a library makes of the answer to a conversation, by default to one question.

    Args:
        base: where the wire is spoken, without the library's own path.
        http: an HTTP client of the kind that the library takes; for Ollama its transport.
    """
    said = library.opening() if said is None else said
    if is_async:
        return await _asked_async(library, base, model, streamed, said, http)
    return await asyncio.to_thread(_asked, library, base, model, streamed, said, http)
