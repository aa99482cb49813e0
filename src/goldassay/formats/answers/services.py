"""Responses of the services of language models, their streams, batch files and chats, as the text of one answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple

from goldassay.formats.documents import parse_json

MODELS = ("assistant", "model", "gpt", "ai", "bot", "chatgpt")
"""How chats call the model."""
ROLES = frozenset({*MODELS, "user", "system", "developer", "tool", "human", "function"})
"""Who writes the messages of a chat."""
THOUGHT = ("thinking", "reasoning", "redacted_thinking", "reasoning_text", "summary_text", "thought")
"""Kinds of parts in which a model thinks."""
CALLED = (("function", "arguments"), ("arguments",), ("input",), ("args",))
"""Where calls of tools have what they are called with."""
CALLS = ("functionCall", "function_call", "toolUse", "tool_use")
BODIES = ("response", "modelOutput", "result", "output", "outputs", "data", "kwargs")
"""Where records of batch files, logs and dumps have the response."""
STREAMED = ("message_", "content_block_", "response.", "ping")
"""How the events of streams begin."""
STREAMS = ("id", "item_id", "responseId")
"""What the id of a stream is called in its parts."""
CHUNK = "MessageChunk"
"""How the type of a part of a stream ends in LangChain."""
CONTENT = ("content", "parts", "blocks", "tool_calls")
"""Where messages have what was written."""
WRITTEN = ("content", "text", "generated_text")
"""Where an object of a service has what the model wrote."""
LOGGED = ("outputs", "response", "modelOutput", "prediction")
"""What logs and jobs call an answer."""
STATED = (*WRITTEN, "generation", "completion", "outputText")
"""Where jobs have the text of it."""
SIMPLE = (("results", "outputText"), ("predictions", "content"))
"""What services call their lists of answers, and the text of one."""
OF_PARTS = frozenset({"text", "output_text"})
"""Kinds of parts in which a model writes."""
ANSWERED = (("response",), ("response", "body"), ("result",), ("modelOutput",))
"""Where records of batch files have the answer, or an error."""
OF_ERRORS = (("code", "type", "status", "errorCode"), ("message", "errorMessage"))
"""Keys of what an error is, and of what it says."""
ENDED = frozenset({"errored", "expired", "canceled"})
"""How a request ends that has no answer."""
OF_SERVICES = frozenset(
    [
        "additional_kwargs",
        "response_metadata",
        "generation_info",
        "generation_id",
        "meta_info",
        "finish_reason",
        "finishReason",
        "stop_reason",
        "timings",
        "tokens_predicted",
        "generation_settings",
    ]
)
"""Keys that services write next to it."""
QUICK = OF_SERVICES | {"role", "delta", "result", "stop"}
"""Keys one of which a response has that has neither a list nor an object."""


class Reply(NamedTuple):
    """What a model wrote in one answer.

    Attributes:
        texts: The texts of it, or what it calls tools with.
        others: How many other answers to the same prompt there are.
    """

    texts: Sequence[str]
    others: int = 0


def reply_of(record: Mapping[str, Any]) -> Reply | None:
    """Return the answer in a response of a service, a part of a stream, or a chat: its last turn, and the first of several; None if it is none."""
    plain = record.keys().isdisjoint(QUICK) and not any(isinstance(one, dict | list) for one in record.values())
    if plain and not ("content" in record and is_message(record)):
        return None
    if str(record.get("type")).startswith("response.") or is_event(record):
        # The last event has the whole response once more.
        return _of_event(record)
    only = record.values() if len(record) == 1 else ()
    bodies = (follow_keys(record, "response", "body"), *map(record.get, BODIES), *only, record)
    found = (_reply_in(_opened(body)) for body in bodies if isinstance(body, dict))
    return next((one for one in found if one), None) or _of_event(record) or _of_log(record)


def _reply_in(body: Mapping[str, Any]) -> Reply | None:
    """Return the answer in the body of a response."""
    for list_answers in (_choices, _candidates, _drafts):
        if several := list_answers(body):
            return Reply(_contents(several[:1]), len(several) - 1)
    if isinstance(body.get("output"), list) and (items := list(filter(_is_item, body["output"]))):
        return Reply(_contents(items))
    for message in (follow_keys(body, "output", "message"), body.get("message"), body):
        known = message is not body or is_message(body) or _is_written(body)
        if isinstance(message, dict) and known and _has_content(message):
            return Reply(_contents([message]) if _writer(message) in ("", *MODELS) else [])
    for name in ("messages", "conversations", "conversation", "generated_text"):
        if is_chat(body.get(name)):
            return Reply(last_turn(as_list(body[name])))
    return None


def _of_log(record: Mapping[str, Any]) -> Reply | None:
    """Return the one text below what a log or a job calls an answer."""
    for name, body in ((name, record[name]) for name in LOGGED if isinstance(record.get(name), dict)):
        stated = [body[key] for key in STATED if isinstance(body.get(key), str) or is_in_parts(body.get(key))]
        every = [one for one in body.values() if isinstance(one, str | list)] if name in LOGGED[:2] else []
        texts = stated if len(stated) == 1 else every
        if len(texts) == 1 and (isinstance(one := texts[0], str) or is_in_parts(one)):
            return Reply(texts_in_parts(one) if isinstance(one, list) else [one])
    return None


def is_in_parts(content: Any) -> bool:
    """Return whether the content of a message is written in parts, each with its kind."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(one, dict) and isinstance(one.get("type"), str) for one in content)
        and any(one["type"] in OF_PARTS and isinstance(one.get("text"), str) for one in content)
    )


def texts_in_parts(content: Sequence[Any]) -> Sequence[str]:
    """List the texts of a content in parts, without thoughts."""
    return _contents([{"content": content}])


def error_of(record: Mapping[str, Any]) -> str:
    """Return why a request of a batch has no answer: what its error says, or how it ended; the empty text if nothing says so."""
    bodies = [record, *(follow_keys(record, *keys) for keys in ANSWERED)]
    error = next(filter(None, (follow_keys(body, "error") for body in bodies)), None)
    error = follow_keys(error, "error") or error
    if isinstance(error, dict):
        parts = (next(filter(None, map(error.get, keys)), None) for keys in OF_ERRORS)
        return ": ".join(str(one) for one in parts if one)
    ended = str(follow_keys(record, "result", "type"))
    return error if isinstance(error, str) else ended if ended in ENDED else ""


def _is_written(body: Mapping[str, Any]) -> bool:
    """Return whether an object has a text next to keys that only services write."""
    is_served = not OF_SERVICES.isdisjoint(body) or type(body.get("stop")) is bool
    return is_served and any(isinstance(body.get(name), str) for name in WRITTEN)


def _choices(body: Mapping[str, Any]) -> list[Any]:
    """List the choices of a response; those of a question have labels."""
    some = [one for one in as_list(body.get("choices")) if isinstance(one, dict) and one.get("index", 0) is not None]
    inner = (next((one[name] for name in ("message", "delta") if isinstance(one.get(name), dict)), one) for one in some)
    return [one for one in inner if _has_content(one) and "label" not in one]


def _candidates(body: Mapping[str, Any]) -> list[Any]:
    return [one for some in as_list(body.get("candidates")) if isinstance(one := follow_keys(some, "content"), dict)]


def _drafts(body: Mapping[str, Any]) -> list[Any]:
    """List what vLLM, LangChain, Haystack, lm-eval and the evals of OpenAI call the answers to one prompt."""
    for name in ("outputs", "generations", "filtered_resps", "resps", "replies", "sampled"):
        written = as_list(body.get(name))
        written = as_list(written[0]) if written and isinstance(written[0], list) else written
        drafts = [{"text": one} if isinstance(one, str) else one for one in written]
        known = [
            one for one in drafts if isinstance(one, dict) and (isinstance(one.get("text"), str) or is_message(one))
        ]
        if known:
            return known
    # Titan of Bedrock, and PaLM of Vertex AI.
    stated = (follow_keys(one, name) for many, name in SIMPLE for one in as_list(body.get(many)))
    return [{"text": one} for one in stated if isinstance(one, str)]


def _is_item(one: Any) -> bool:
    """Return whether a value is an item of an output: a message, a call, or a thought."""
    return isinstance(one, dict) and (_has_content(one) or str(one.get("type")) in THOUGHT or "generated_text" in one)


def _has_content(message: Mapping[str, Any]) -> bool:
    """Return whether an object may be a message; its content may be null, next to calls of tools."""
    return not {*CONTENT, "text", "function_call", "arguments", "refusal"}.isdisjoint(message)


def _of_event(record: Mapping[str, Any]) -> Reply | None:
    """Return what a part of a stream adds, or the result of a command."""
    kind, delta = str(record.get("type", "")), record.get("delta")
    if kind == "result" and isinstance(record.get("result"), str):
        return Reply([record["result"]])
    if isinstance(delta, str) and is_part(record):
        return Reply([] if "reasoning" in kind else [delta])
    delta = delta or record.get("token")
    if isinstance(delta, dict):
        part = delta.get("partial_json")
        return Reply([part] if isinstance(part, str) else _contents([delta.get("message", delta)]))
    return None


def is_event(record: Mapping[str, Any]) -> bool:
    """Return whether a record is an event of a command, of which the last has the result."""
    return "session_id" in record and record.get("type") in ("system", "user", "assistant", "result")


def is_part(record: Mapping[str, Any]) -> bool:
    """Return whether a record is a part of a stream."""
    if any(isinstance(follow_keys(one, "delta"), dict) for one in (*as_list(record.get("choices")), record)):
        return True
    if is_event(record) or isinstance(follow_keys(record, "token", "text"), str):
        return True
    if str(_opened(record).get("type")).endswith(CHUNK):
        return True
    of_ollama = type(record.get("done")) is bool and "model" in record
    of_llama = type(record.get("stop")) is bool and isinstance(record.get("content"), str)
    return of_ollama or of_llama or str(record.get("type", "")).startswith(STREAMED)


def stream_of(record: Mapping[str, Any]) -> str:
    """Return the id that all parts of one answer have; the empty text if a part has none."""
    every = (one.get(name) for one in (record, _opened(record)) for name in STREAMS)
    return next((one for one in every if isinstance(one, str) and one), "")


def ends_stream(record: Mapping[str, Any]) -> bool:
    """Return whether a part is the last one of its answer, where parts have no ids."""
    return record.get("done") is True or record.get("type") == "message_stop"


def is_message(record: Any) -> bool:
    """Return whether a record is a message of a chat."""
    if not isinstance(record, dict):
        return False
    record = _opened(record)
    has_text = not record.keys().isdisjoint(CONTENT)
    return _writer(record) in ROLES and (has_text or isinstance(record.get("value"), str))


def _opened(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message as it is inside of the object that LangChain writes around it."""
    for name in ("data", "kwargs"):
        inner = message.get(name)
        if isinstance(inner, dict) and "content" in inner:
            # The class of a message, such as AIMessage, is the last part of its id.
            kind = str((as_list(message.get("id")) or [message.get("type")])[-1])
            return {**inner, "type": inner.get("type", kind)}
    return message


def _writer(message: Mapping[str, Any]) -> str:
    """Return who wrote a message: LangChain says it by its type."""
    kind = str(message.get("type")).lower().removesuffix("chunk").removesuffix("message")
    usual = message.get("from", "") if "value" in message else kind if kind in ROLES and "content" in message else ""
    return str(message.get("role", usual))


def is_chat(value: Any) -> bool:
    """Return whether a value is a list of messages."""
    return isinstance(value, list) and bool(value) and all(map(is_message, value))


def last_turn(chat: Sequence[Mapping[str, Any]]) -> list[str]:
    """List the texts of the last turn of the model: what is before it are examples, or is answered again."""
    chat = list(map(_opened, chat))
    end = next((at for at in range(len(chat), 0, -1) if _writer(chat[at - 1]) in MODELS), 0)
    begin = next((at for at in range(end, 0, -1) if _writer(chat[at - 1]) not in MODELS), 0)
    return _contents(chat[begin:end])


def _contents(messages: Sequence[Any]) -> list[str]:
    """List the texts of messages, each in one piece or in several, without thoughts; what tools are called with is the answer."""
    calls = [call for one in messages for call in _calls_in(one)]
    return [_join_calls(calls)] if calls else [text for one in messages for text in _join_words(list(_texts_in(one)))]


def _texts_in(message: Any) -> Iterator[str]:
    if not isinstance(message, dict) or str(message.get("type")) in THOUGHT:
        return
    content = next(filter(None, map(message.get, (*CONTENT[:3], "text", "value", "generated_text"))), None)
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict) and part.get("thought") is not True and str(part.get("type")) not in THOUGHT:
            yield from filter(lambda text: isinstance(text, str), [part.get("text")])


def _join_words(texts: list[str]) -> list[str]:
    """Join pieces of a message between which a word is cut: a message with citations has a piece for each."""
    found = texts[:1]
    for before, text in pairwise(texts):
        if before[-1:].isalnum() and text[:1].isalnum() and not text[:1].isupper():
            found[-1] += text
        else:
            found.append(text)
    return found


def _calls_in(message: Any) -> Iterator[str]:
    """List what a message calls tools with, as JSON."""
    if not isinstance(message, dict):
        return
    parts = [one for name in ("content", "parts") for one in as_list(message.get(name)) if isinstance(one, dict)]
    calls = [
        *as_list(message.get("tool_calls")),
        *(one[name] for one in (message, *parts) for name in CALLS if name in one),
    ]
    calls += [one for one in (message, *parts) if one.get("type") in ("function_call", "tool_use")]
    for call in calls:
        found = next((one for keys in CALLED if (one := follow_keys(call, *keys)) is not None), None)
        if isinstance(found, str | dict | list):
            yield found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _join_calls(calls: Sequence[str]) -> str:
    """Join several calls: lists under the same key are one list, other objects are rows."""
    if len(calls) == 1:
        return calls[0]
    with suppress(ValueError, RecursionError):
        values = list(map(parse_json, calls))
        keys = {tuple(one) if isinstance(one, dict) else () for one in values}
        [key] = keys.pop() if len(keys) == 1 else ("",)
        if key and all(isinstance(one[key], list) for one in values):
            return json.dumps({key: [row for one in values for row in one[key]]}, ensure_ascii=False)
        return json.dumps(values, ensure_ascii=False)
    return "\n".join(calls)


def follow_keys(value: Any, *keys: str) -> Any:
    """Follow keys into nested objects; None where one is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def as_list(value: Any) -> list[Any]:
    """Return a list, or an empty one in place of anything else."""
    return value if isinstance(value, list) else []
