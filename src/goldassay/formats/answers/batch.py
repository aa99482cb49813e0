"""What is around what a model wrote: responses of services, their streams and batch files, thoughts, tags and fences."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cache
from html import unescape
from itertools import chain, repeat
from typing import Any, NamedTuple

from goldassay.core.libraries import pl
from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS, count_of, singular, to_one_line
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.notes import HEAD_OF_SOURCES, REASONS, THINKING, keys_of
from goldassay.formats.answers.services import (
    MODELS,
    OF_SERVICES,
    Reply,
    as_list,
    ends_stream,
    error_of,
    follow_keys,
    is_chat,
    is_in_parts,
    is_message,
    is_part,
    last_turn,
    reply_of,
    stream_of,
    texts_in_parts,
)
from goldassay.formats.answers.turns import LEADING, THOUGHTS, begins_with_turns, has_signs, without_turns
from goldassay.formats.column_names import bare
from goldassay.formats.decisions import warn_of_cuts
from goldassay.formats.documents import parse_if_json, parse_json
from goldassay.formats.several_sets import sets_in_records

FENCE = pattern_of(r"[ \t]*(```+|~~~+)[ \t]*([\w+#-]*)")
PROGRAM = pattern_of(
    r"\s*(?:import [\w.]+(?: as \w+)?$|from [\w.]+ import |def \w+\(|print\(|(?:for \w+ in|while|if|elif|with) .*:$|"
    r"#!/|[$>] \w|(?:pip|npm|apt-get|conda|curl|cd|export|echo|sudo|git|docker|python3?) [\w./-]|"
    r"(?:const|let|var) \w+ = |function \w*\()"
)
"""How a line begins that is of a program or a command, and of no statement."""
FENCED = pattern_of(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
ID, ANSWER = "id of the answer", "text of the answer"
"""What is read of a record."""
LINE_ENDS = "\ufeff\r\x85\u2028\u2029"
ENDS = pattern_of(rf"(?<![{LINE_ENDS}])[{LINE_ENDS}]++(?=\n|\Z)")
"""What ends a line besides its line feed."""
TOKENS = pattern_of(
    r"</?s>|\[/?INST\]|<\|(?:start_header_id|im_start|start|channel)\|>\w{0,20}|<\|[a-z_]{1,30}\|>|<(?:eos|end_of_turn|bos)>|<start_of_turn>\w{0,20}"
    r"|\[\[ ## \w{1,60} ## \]\]|^\s*→\s"
)
"""Marks of models around an answer."""
MARKED = pattern_of(
    rf"{THOUGHTS.pattern}|{LEADING.pattern}|(?:<s>\s*)?\[INST\]|<\||<start_of_turn>|\[\[ ## ", re.DOTALL | re.IGNORECASE
)
"""How a text with such marks begins."""
MARKS = {"<": ("<|", "</s>", "_turn>", "<e"), "[": ("INST]", "THINK]", "[[ ##"), "◁": ("◁",)}
"""What is in a text with such marks, by a character that a text without them often lacks."""
TAG = pattern_of(r"<([A-Za-z_][\w.-]{0,60})>")
ATTRIBUTE = pattern_of(r"<[A-Za-z_][\w.-]{0,60}\s[\w:.-]{1,60}=[\"']")
AROUND = pattern_of(r"\s*+(?:>[ \t]?|<pre\b[^<>]{0,200}>\s*+(?:<code\b[^<>]{0,200}>)?\s*+)[\[{]")
"""How JSON begins in a quotation, or in the tags of code."""
OF_CODE = pattern_of(r"</?(?:pre|code)\b[^<>]{0,200}>")
NEXT = "\n"
OF_PAGES = frozenset({"table", "ul", "ol"})
"""Tags that hold what they are around together."""
LISTED = pattern_of(r"^[ \t]*<[uo]l\b[^<>]{0,200}>", re.MULTILINE | re.IGNORECASE)
"""How a list in HTML begins."""
BULLET = pattern_of(r"(\n?)(?<![ \t])[ \t]*+<(/?)(?:([uo]l)|li)\b[^<>]{0,200}>", re.IGNORECASE)
INLINE = pattern_of(r"</?(?:a|b|i|em|strong|span|p|code|u|small)\b[^<>]{0,500}>", re.IGNORECASE)
_WHAT = ("output", "response", "answer", "completion", "generation", "prediction", "reply")
_BY = ("model", "raw", "llm", "actual", "predicted", "final")
OUTPUTS = (
    *_WHAT,
    *(f"{by}{what}" for by in _BY for what in _WHAT),
    *(f"{what}text" for what in ("generated", "predicted", *_WHAT)),
    "textoutput",
    "generated",
    "ans",
    "result",
)
"""Keys of a record with what a model wrote, reduced to their letters."""
OF_BATCH = pattern_of(
    rf'"(?:(?:(?:(?:{"|".join(_BY)})[_ ]?)?(?:{"|".join(_WHAT)})(?:[_ ]?text)?|(?:generat|predict)ed[_ ]?text|text[_ ]?output|generated|ans|result|custom_id|message|delta)"\s*:\s*["{{\[]'
    rf'|(?:{"|".join(sorted(map(str.lower, OF_SERVICES)))})"\s*:|stop"\s*:\s*(?:true|false)|(?:generations|replies|sampled|outputs|token)"\s*:\s*[{{\[]'
    r'|(?:choices|candidates|content|messages|conversations?|outputs?|predictions|generated_text|tool_calls)"\s*:\s*\[\s*\{|(?:filtered_)?resps"\s*:\s*\['
    r'|role"\s*:\s*"(?:assistant|model|user|system|developer)"|from"\s*:\s*"(?:human|gpt|user|system)"'
    r'|type"\s*:\s*"(?:result|function_call|tool_use|ai|aimessagechunk|human|constructor)"|prompt"\s*:\s*")'
)
"""How a record with what a model wrote is recognised, in lower case: without case it takes three times as long."""
BESIDES = keys_of(REASONS, THINKING)
"""Keys of an answer in JSON next to what it states."""
CUT_OFF = pattern_of(
    r'"(?:finish_?reason|stop_?reason|done_reason|reason)"\s*+:\s*+"(?:length|max_(?:output_)?tokens)"', re.IGNORECASE
)
"""How services say that an answer is cut off."""
CUTS = ('"length"', '"max_', '"MAX_', '"LENGTH"')
CITING = {"[": ("](", "[^", *(f"[{digit}" for digit in range(1, 10))), "<": ("<sup>",), "\u3010": ("\u3010",)}
"""What is in every text with a citation or a link, by a character that most texts lack."""
ADDRESS = r"\((?:https?://|www\.|#|/)[^()\s]{0,500}(?:\([^()\s]{0,100}\)[^()\s]{0,100})?(?:\s\"[^\"\n]{0,200}\")?\)"
LINK_TO_SOURCE = pattern_of(
    rf"(?<=[\w.)*_\"'`\u201d])[ \t]?(?:\(\[[^\[\]\n]{{1,200}}\]{ADDRESS}(?:[,;]\s?\[[^\[\]\n]{{1,200}}\]{ADDRESS}){{0,9}}\)"
    rf"|\[(?:sources?|refs?|references?|links?|citations?|\^?\d{{1,3}})\]{ADDRESS})",
    re.IGNORECASE,
)
"""A link in brackets behind a name, or one that only says what it is."""
LINK = pattern_of(rf"\[([^\[\]\n]{{1,300}})\]{ADDRESS}")
CITED = pattern_of(
    r"(?<=[^\W\d_][^\W\d_]|[^\W\d_][)*_\"'`.\u201d]|[*_`][*_])(?:[ \t]?(?:\[\^?\d{1,3}(?:\s?[,\u2013-]\s?\d{1,3}){0,9}\]|\u3010[^\u3011\n]{1,60}\u3011|<sup>[^<\n]{1,60}</sup>)){1,9}"
    r"(?=[\s.,;:|)\]}\"*_]|$)"
)
"""Numbers of sources behind a word, as models with a search write them."""
BEGINS_ENTITY = pattern_of(r"[\[{]\s*+&quot;")
"""How a text begins in JSON whose quotes are entities; XML has entities of its own."""
BEGINS_TEXT = pattern_of(r'\{\s*+"(?:[^"\\]|\\u[0-9a-fA-F]{4}){1,60}"\s*+:\s*+"')
"""How JSON with a text begins."""
STREAM = ("data:", "event:")
"""How the lines of a stream begin."""
RECORD = pattern_of(rf"\s*+(?:(?P<stream>{'|'.join(STREAM)})|(?:\[\s*+){{0,2}}+(?={{))")
"""What is before the first record."""
BETWEEN = pattern_of(r"[\s,]*+")
"""What is between records."""
FIRST = 20
"""So many first records may have no answer."""
NAN = pattern_of(r"(?<=[:,\[ ])NaN(?=[,}\] ])")
LOGS = (("results", "results"), ("samples",))
"""Where promptfoo and Inspect have their records."""
DECODER = json.JSONDecoder()
IDS = [
    "custom_id",
    "id",
    "doc_id",
    "docid",
    "document_id",
    "qid",
    "question_id",
    "answer_id",
    "note_id",
    "uid",
    "key",
    "recordId",
    "request_id",
]
BARE_IDS = (*map(bare, IDS), "filename")
CONTENTS = frozenset({"question", "answer", "note", "query"})
"""Names of columns of ids that have contents in the records of batch files."""
OF_ERRORS = frozenset({"error", "body", "status_code"})
"""Keys of responses without an answer."""
OWN = frozenset({"triples", "triplets", "relations", "relationships", "edges", "references", "concepts", "question"})
"""Keys of records that have items of their own, next to what a model wrote; a question has a text as its answer, for its concepts."""
OWN_LISTS = OWN - {"references"}
SENTENCE = pattern_of(r"[^\n]*+(?<=[.!?])")
LOOKED_AT, BEGINNING = 2**13, 2**16
LONGEST_ERROR = 120
Batch = list[tuple[int, str, str]]
"""Answers: the line, the id and the text of each."""


def is_marked(text: str) -> bool:
    """Return whether a text begins with thoughts, or with a mark of a model or of a chat."""
    return MARKED.match(text.lstrip()) is not None or begins_with_turns(text)


def is_batch(text: str, meaning: Meaning = OF_EDGES) -> bool:
    """Return whether the first record of a text has what a model wrote, however long, and is none of the family itself."""
    begin = RECORD.match(text)
    if begin is None or not names_output(text[:BEGINNING]):
        return False
    if begin["stream"]:
        return True
    for record in first_records(text):
        if not isinstance(record, dict):
            return False
        if _is_record(record, reply_of(record), meaning):
            return True
        if not _is_unanswered(record, meaning):
            return False
    return False


def first_records(text: str) -> Iterator[Any]:
    """Parse the first records, of an array or of lines, until one is broken."""
    begin = RECORD.match(text)
    end = begin.end() if begin else 0
    for _ in range(FIRST):
        try:
            value, end = DECODER.raw_decode(text, end)
        except (ValueError, RecursionError):
            return
        yield next(iter(_listed(value)), None)
        end = found.end() if (found := BETWEEN.match(text, end)) else end


def names_output(text: str) -> bool:
    """Return whether a text has a key with what a model wrote."""
    if len(text) <= LOOKED_AT:
        return bool(OF_BATCH.search(text.lower()))
    # It searches a long text in a fifth of the time.
    return bool(pl.Series([text.lower()], dtype=pl.String).str.contains(OF_BATCH.pattern).item())


DOCUMENT = pattern_of(
    r"^[ \t]*+(?:#{1,6}[ \t]++)?(?:(?:\*\*|__)?(?:document|doc|text|sentence|passage|example|(?:doc|document)?[ _]?id)[ \t_#:]{1,3}([\w.-]{1,80})"
    r"|(?:\*\*|__|\[)([\w.-]{1,80}):?(?:\*\*|__|\])|(?<=#[ \t])([\w.-]{1,80})|([\w.-]{1,80})(?=:))"
    r"(?:\*\*|__)?:?(?:\*\*|__)?(?=[ \t]*+(?:$|\([^()\n]{1,1000}\)[ \t]*+$))",
    re.MULTILINE | re.IGNORECASE,
)
"""The id of a document above its triples, or before one."""
WHOLE_TRIPLE = pattern_of(
    rf"\s*+(?:[{BULLETS}]\s++|\d{{1,4}}[.)]\s++)?(?:[(<\[](?:[^,;|]*+[,;|]){{2}}.*[)>\]]|[^|]++\|[^|]++\|[^|]++"
    r"|[^→]++→[^→]++→[^→]++)[.,;]?\s*+"
)
"""A triple in brackets, or between bars or arrows."""
BEGINS_DATA = pattern_of(r"\s*+(?:\[\s*+[\[\]{\"]|\{|\||```|~~~)")
"""How JSON, a table or a code fence begins."""
OF_LABEL = pattern_of(r"[^\W\d][^\n:]{0,80}")
"""A label, or a sentence with one."""
SAYS_NOTHING = pattern_of(r"\s*+[*_(-]{0,3}\s?(?:none|nothing|n/a|no \w)[^.\n]{0,60}+[.*_)\s]*+", re.IGNORECASE)
"""What an answer has that states nothing, next to others."""
HEAD = 2**12
CALL = 2
"""A call has a name and arguments."""


class Unwrapped(NamedTuple):
    """What a model wrote.

    Attributes:
        text: The text, if it is one.
        batch: The answers of a batch file.
        thoughts: The number of lines in which it thought.
        others: The number of other answers to the same prompts, of which the first of each is read.
        cut: The number of answers that the service cut off.
        opened: The number of answers that end in a code fence.
        failed: The ids of requests that have an error in place of an answer, and the error.
    """

    text: str
    batch: Batch = []  # noqa: RUF012
    thoughts: int = 0
    others: int = 0
    cut: int = 0
    opened: int = 0
    failed: Sequence[tuple[str, str]] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be known of what was left out."""
        others = count_of(self.others, "other answer to the same prompt is", "other answers to the same prompts are")
        left_out = (f"{others} left out: the first is read",) if self.others else ()
        opened = (
            f"{count_of(self.opened, 'answer')} with a code fence that is not closed: what is last in it may not be whole",
        )
        cuts = warn_of_cuts(self.cut)
        return (*left_out, *cuts, *(opened if self.opened else ()), *_describe_failed(self.failed))


def _describe_failed(failed: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Warn of requests that have an error in place of an answer."""
    if failed:
        count = count_of(len(failed), "request of the batch failed, and has", "requests of the batch failed, and have")
        name, why = failed[0]
        yield f"{count} no answer, for example {name}: {to_one_line(why)[:LONGEST_ERROR]}"


def unwrap(text: str, meaning: Meaning = OF_EDGES) -> Unwrapped:
    r"""Return what a model wrote, without its thoughts and the tags around it; or the answers of a batch file.

    A response of a service, its stream, or a text as JSON is one text; records with ids are a batch.
    """
    start = text.strip()
    if start.startswith('"') and start.endswith('"') and "\n" not in start:
        stated = parse_if_json(start)
        if stated is None:
            return Unwrapped(text)
        text = str(stated)
    elif is_batch(start, meaning):
        return _unwrap_records(text, meaning)
    plain, thoughts = without_tags(text)
    plain = _called_in(plain) if '"arguments"' in plain or '"parameters"' in plain else plain
    below = documents_below(plain, meaning) if meaning.documents else []
    return Unwrapped(plain, below, thoughts, opened=_fences(plain)[1])


def _called_in(text: str) -> str:
    """Return what a text calls one tool with; other texts as they are."""
    value = parse_if_json(text)
    if isinstance(value, dict) and len(value) == CALL and isinstance(value.get("name"), str):
        given = value.get("arguments", value.get("parameters"))
        if isinstance(given, dict | str):
            return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return text


def documents_below(text: str, meaning: Meaning) -> Batch:
    """Cut an answer with triples, JSON, tables or fences below the ids of several documents, or behind them, into one for each; nothing if it is no such answer."""
    if not DOCUMENT.search(text, 0, HEAD):
        return []
    found: list[tuple[int, str, list[str]]] = []
    before: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        named = DOCUMENT.match(line)
        identifier = next(filter(None, named.groups()), "") if named else ""
        if named and any(map(str.isdigit, identifier)):
            rest = line[named.end() :]
            if not found or found[-1][1] != identifier:
                found.append((number, identifier, before))
                before = []
            found[-1][2].append(rest)
        else:
            (found[-1][2] if found else before).append(line)
    known = {identifier for _, identifier, _ in found}
    stated = [lines for *_, lines in found if any(map(str.strip, lines))]
    # Of a document there may be no triple, as of the last one of a text that is cut off.
    if not 1 < len(found) == len(known) or 2 * len(stated) < len(found):
        return []
    some = [lines for lines in stated if not SAYS_NOTHING.fullmatch("".join(lines))]
    if not some or not all(_is_stated(lines, meaning) for lines in some):
        return []
    return [(number, identifier, "\n".join(lines)) for number, identifier, lines in found]


def _is_stated(lines: Sequence[str], meaning: Meaning) -> bool:
    """Return whether lines are JSON, a table or code fences, triples, or one line with a label."""
    text = "\n".join(lines).strip()
    fences = len(FENCED.findall(text))
    if BEGINS_DATA.match(text) or (fences and fences % 2 == 0):
        return True
    is_label = meaning.documents == "instance" and OF_LABEL.fullmatch(text) is not None
    return is_label or (meaning.documents == "id" and _are_triples(lines))


def _are_triples(lines: Sequence[str]) -> bool:
    """Return whether most lines are triples in brackets, or between bars or arrows."""
    filled = [line for line in lines if line.strip()]
    return 2 * sum(WHOLE_TRIPLE.fullmatch(line) is not None for line in filled) >= len(filled)


def _unwrap_records(text: str, meaning: Meaning) -> Unwrapped:
    """Return what a model wrote in records: one text in parts, in a chat or in a response, or a batch."""
    records = _records_of(text)
    values = [record for _, record in records]
    replies = list(map(reply_of, values)) if {*map(type, values)} == {dict} else []
    is_stream = text.lstrip().startswith(STREAM)
    if not replies or not (is_stream or _are_records(values, replies, meaning)):
        records, values, replies = [], [], []
    others = sum(one.others for one in replies if one)
    cut = len(CUT_OFF.findall(text)) if records and any(map(text.__contains__, CUTS)) else 0
    # Several answers of Ollama that are done are no parts of one.
    done = len(values) > 1 and all(record.get("done") is True for record in values)
    if records and not done and (all(map(is_part, values)) or is_stream or _is_cut(values)):
        pairs = zip(values, replies, strict=True)
        parts = [(stream_of(record), one.texts if one else _output_of(record)) for record, one in pairs]
        streams = _streams_in(parts, [*map(ends_stream, values)])
        if len(streams) > 1:
            answers = [{"id": name, "output": "".join(some)} for name, some in streams.items()]
            return _unwrap_records("\n".join(map(json.dumps, answers)), meaning)
        text = "".join(chain.from_iterable(some for _, some in parts))
    elif is_chat(values) and not (len(values) > 1 and all(map(_is_answer, values))):
        text = "\n".join(last_turn(values))
    elif len(records) == 1 and replies[0] and "custom_id" not in values[0] and not _has_text(values[0]):
        text = "\n".join(_texts_of(values[0], replies[0]))
    elif records:
        pairs = zip(values, replies, strict=True)
        texts = [without_tags(stated_in("\n".join(_texts_of(*one) or _rest_of(one[0])), meaning)) for one in pairs]
        numbered = enumerate(zip(records, texts, strict=True), start=1)
        batch = [(line, _id_of(record, meaning) or str(place), text) for place, ((line, record), (text, _)) in numbered]
        answers = [
            {**record, ID: name, ANSWER: stated} for (_, name, stated), record in zip(batch, values, strict=True)
        ]
        sets_in_records({"id": ID, "answer": ANSWER}, answers)
        failed = [
            (name, why)
            for (_, name, stated), record in zip(batch, values, strict=True)
            if not stated and (why := error_of(record))
        ]
        opened = sum(_fences(stated)[1] for stated, _ in texts)
        return Unwrapped(text, batch, sum(thoughts for _, thoughts in texts), others, cut, opened, failed)
    plain, thoughts = without_tags(stated_in(text, meaning))
    return Unwrapped(plain, [], thoughts, others, cut, _fences(plain)[1])


def _streams_in(parts: Sequence[tuple[str, Sequence[str]]], ends: Sequence[bool]) -> dict[str, list[str]]:
    """Group the texts of parts by the ids of their streams, or by where one ends; ids that never recur are those of parts, and a part without an id is of the stream before it."""
    streams: dict[str, list[str]] = {}
    named = Counter(name for name, _ in parts if name)
    recur = len(named) < named.total()
    name = "" if named else "1"
    for (own, texts), ended in zip(parts, [False, *ends], strict=False):
        if own and recur:
            name = own
        elif ended and not named:
            name = str(len(streams) + 1)
        streams.setdefault(name, []).extend(texts)
    return streams


def stated_in(text: str, meaning: Meaning) -> str:
    """Return the one text that an answer in JSON states, such as what a tool was called with; other answers as they are."""
    body = body_of(text).strip() if "{" in text else ""
    if not BEGINS_TEXT.match(body) or (meaning.documents == "instance" and "\\n" not in body):
        return text
    with suppress(ValueError, RecursionError):
        value = parse_json(body)
        stated = [(bare(key), one) for key, one in value.items() if singular(bare(key)) not in BESIDES]
        [(key, one)] = [(key, one) for key, one in stated if isinstance(one, str | list | dict)]
        # A word is a label.
        is_text = key in (*OUTPUTS, "unl") and meaning.documents != "instance"
        is_text = is_text or ("text" in meaning.roles.names and bool(meaning.roles.called("text", [key])))
        if isinstance(one, str) and (is_text or "\n" in one.strip()):
            return one
    return text


def _is_cut(values: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether records are the parts in which Gemini writes one answer: only the last says why it ends."""
    if len(values) == 1 or any(map(_id_of, values)):
        return False
    ends = [as_list(one.get("candidates"))[:1] for one in values[:-1]]
    return all(bool(some) and isinstance(some[0], dict) and "finishReason" not in some[0] for some in ends)


def without_citations(text: str) -> str:
    """Take away what cites a source behind a name, and the addresses of links around one."""
    if "](" in text:
        # In a cell of a table, a reader knows whether a link is its name or what it leads to.
        lines = LINK_TO_SOURCE.sub("", text).split("\n")
        # What is below a heading for sources is known by its links.
        end = next((at for at, line in enumerate(lines) if HEAD_OF_SOURCES.fullmatch(line)), len(lines))
        above = [line if line.lstrip().startswith("|") else LINK.sub(r"\1", line) for line in lines[:end]]
        text = "\n".join([*above, *lines[end:]])
    # The texts of nodes in Mermaid are in such brackets.
    return text if "-->" in text else CITED.sub("", text)


def without_tags(text: str) -> tuple[str, int]:
    """Blank out thoughts, and the tags around an answer, which keep their lines; count the lines of thoughts. Lines end as in Unix."""
    if any(map(text.__contains__, LINE_ENDS)):
        text = ENDS.sub("", text).removeprefix("\ufeff")
    if "&quot;" in text or AROUND.match(text):
        text = _bare(text)
    if has_signs(text, CITING):
        text = without_citations(text)
    marked = "→" in text[:9] or has_signs(text, MARKS)
    if "<" in text and LISTED.search(text):
        text = _with_bullets(text)
    thoughts = 0

    def blank(found: str) -> str:
        nonlocal thoughts
        thoughts += len(number_lines(found))
        return "\n" * found.count("\n")

    text = without_turns(text, blank)
    if marked:
        text = TOKENS.sub("", text)
    elif "</" not in text:
        return text, thoughts
    closed = [name for name in dict.fromkeys(TAG.findall(text)) if f"</{name}>" in text and name not in OF_PAGES]
    if len(closed) == 1 and text.count(f"<{closed[0]}>") == 1 and not ATTRIBUTE.search(text):
        # Of XML there would be several elements.
        text = text.replace(f"<{closed[0]}>", "").replace(f"</{closed[0]}>", "")
    return text, thoughts


def _bare(text: str) -> str:
    """Take JSON out of what shows it on a page: marks of a quotation before each line, tags of code, and quotes as entities."""
    if '"' not in text and BEGINS_ENTITY.search(text):
        text = unescape(text)
    if text.lstrip().startswith(">"):
        lines = text.split("\n")
        quoted = all(line.lstrip().startswith(">") for line in lines if line.strip())
        return "\n".join(line.lstrip().removeprefix(">").removeprefix(" ") for line in lines) if quoted else text
    return OF_CODE.sub("", text) if AROUND.match(text) else text


def _with_bullets(text: str) -> str:
    """Write the lists of HTML as nested bullets, each item on the line where it was if it was the first there."""
    depth = 0
    fresh = 0

    def mark(tag: re.Match[str]) -> str:
        nonlocal depth, fresh
        begins = tag[1] or tag.start() in (0, fresh)
        if tag[3]:
            depth += -1 if tag[2] else 1
        if tag[3] or tag[2]:
            fresh = tag.end() if begins else fresh
            return tag[1]
        return f"{tag[1] if begins else NEXT}{'  ' * max(depth - 1, 0)}- "

    return unescape(INLINE.sub("", BULLET.sub(mark, text)))


def _records_of(text: str) -> list[tuple[int, Any]]:
    """List the records of a file with their lines: an array, an object, or one on each line, of a stream too; none if it is broken."""
    rows = number_lines(text)
    if text.lstrip().startswith(STREAM):
        rows = [(number, line[len("data:") :].strip()) for number, line in rows if line.startswith("data:")]
        rows = [row for row in rows if row[1] != "[DONE]"]
    try:
        if not text.lstrip().startswith("["):
            values = [(number, _parse_line(line)) for number, line in rows]
            return [
                (number, one) for number, value in values for one in (_listed(value) if len(rows) == 1 else [value])
            ]
    except (ValueError, RecursionError):
        pass
    value = parse_if_json(text)
    return [] if value is None else [(1, record) for record in _listed(value)]


def _parse_line(line: str) -> Any:
    """Parse a line of JSON; NaN, which Python writes, is null."""
    if "NaN" in line:
        with suppress(ValueError, RecursionError):
            return parse_json(line)
        line = NAN.sub("null", line)
    return parse_json(line)


def _listed(value: Any) -> list[Any]:
    """List the records of a value: of an array, or of a log that has them below a key."""
    for keys in LOGS:
        if isinstance(value, dict) and value.keys() & {"evalId", "eval"} and as_list(follow_keys(value, *keys)):
            return as_list(follow_keys(value, *keys))
    if not isinstance(value, list):
        return [value]
    return [record for some in value for record in (some if isinstance(some, list) else [some])]


def _is_record(record: Mapping[str, Any], reply: Reply | None, meaning: Meaning) -> bool:
    """Return whether a record has what a model wrote, and is no row of a table of the family."""
    if "custom_id" in record or is_part(record) or is_message(record):
        return True
    if any(isinstance(one, list) and bare(key) in OWN_LISTS for key, one in record.items()):
        # Next to items of its own a chat is what they were asked for.
        return False
    if reply:
        return True
    # Of other families a list is several answers.
    stated = bool(_output_of(record, dict)) or (meaning.documents == "id" and bool(_output_of(record)))
    # A request that failed is one of a batch nevertheless.
    stated = stated or bool(_id_of(record) and error_of(record))
    return stated and not _is_of_family(record, meaning, OWN - {"question"}) and not _is_asked(record, meaning)


def _is_of_family(record: Mapping[str, Any], meaning: Meaning, own: AbstractSet[str] = OWN) -> bool:
    """Return whether a record is a row of a table of the family, or has items of its own."""
    return meaning.roles.recognises(_columns(record, meaning)) or not own.isdisjoint(map(bare, record))


def _is_asked(record: Mapping[str, Any], meaning: Meaning) -> bool:
    """Return whether a record has a question whose answer is a text for its concepts, as any is there; a sentence is none of a taxonomy."""
    if "question" not in map(bare, record):
        return False
    return meaning.documents == "document" or (meaning is OF_EDGES and all(map(SENTENCE.fullmatch, _output_of(record))))


def _are_records(values: Sequence[Mapping[str, Any]], replies: Sequence[Reply | None], meaning: Meaning) -> bool:
    """Return whether records have what a model wrote, or are next to such and have an id without an answer."""
    found = list(map(_is_record, values, replies, repeat(meaning)))
    return any(found) and all(one or _is_unanswered(record, meaning) for record, one in zip(values, found, strict=True))


def _is_unanswered(record: Mapping[str, Any], meaning: Meaning) -> bool:
    """Return whether a record has an id, and nothing, or a number, where others have what a model wrote."""
    stated = [one for key, one in record.items() if bare(key) in OUTPUTS]
    empty = all(not one or isinstance(one, int | float) for one in stated)
    return bool(_id_of(record)) and empty and not _is_of_family(record, meaning)


def _columns(record: Mapping[str, Any], meaning: Meaning) -> list[str]:
    """List the keys of a record without those that may say what an answer is for as well as what it is."""
    both = _names_of_both(meaning)
    return [key for key in record if bare(key) not in both] if both else list(record)


@cache
def _names_of_both(meaning: Meaning) -> frozenset[str]:
    """Return what a family with lists of names may call what an answer is for as well as what it is."""
    if meaning.nested != "list":
        return frozenset()
    before, after = (
        frozenset[str]().union(*(words.names for words in meaning.roles.names[end])) for end in meaning.ends[::2]
    )
    return before & after


def _output_of(record: Mapping[str, Any], *kinds: type) -> list[str]:
    """Return the text that a record has under a known key, or the object or list as JSON, next to an id."""
    known = OUTPUTS if "custom_id" not in record else OUTPUTS[:1]
    values = ((bare(key), _only_text(one)) for key, one in record.items())
    written = {key: one for key, one in values if isinstance(one, (str, *(kinds or (dict, list))))}
    text = next((one for key in known if isinstance(one := written.get(key), str)), None)
    text = _content_of(record) if text is None else text
    if text is not None or not _id_of(record):
        return [] if text is None else [text]
    some: list[Any] = [written[key] for key in known if written.get(key)]
    stated = [one for one in some if isinstance(one, list) or OF_ERRORS.isdisjoint(one)]
    return [json.dumps(one, ensure_ascii=False) for one in stated[:1]]


def _content_of(record: Mapping[str, Any]) -> str | None:
    """Return a content in parts, or next to the prompt, as llama.cpp writes it; None if there is none."""
    content = record.get("content")
    if is_in_parts(content):
        return "\n".join(texts_in_parts(as_list(content)))
    return content if isinstance(content, str) and isinstance(record.get("prompt"), str) else None


def _only_text(value: Any) -> Any:
    """Return the text of a list such as ``[{"generated_text": "..."}]``; any other value as it is."""
    if not (isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict)):
        return value
    texts = [one for key, one in value[0].items() if bare(key) in OUTPUTS and isinstance(one, str)]
    return texts[0] if len(texts) == len(value[0]) == 1 else value


def _is_answer(record: Mapping[str, Any]) -> bool:
    """Return whether a message is a whole answer: of the model, with an id."""
    return record.get("role") in MODELS and bool(_id_of(record))


def _id_of(record: Mapping[str, Any], meaning: Meaning | None = None) -> str:
    """Return what an answer is for: an id, or what a family with lists of names calls it."""
    keys = {bare(key): key for key, one in record.items() if isinstance(one, str | int) and one != ""}
    known = [keys[name] for name in BARE_IDS if name in keys]
    # A number of a record is no name of an entity.
    if meaning is None or meaning.nested != "list" or "custom_id" in record or (known and meaning.documents):
        return str(record[known[0]]) if known else ""
    own = [key for name, key in keys.items() if name not in CONTENTS]
    listed = [*meaning.roles.called(meaning.documents or meaning.ends[0], own), *known]
    return str(record[listed[0]]) if listed else ""


def texts_of_record(record: Mapping[str, Any]) -> Sequence[str]:
    """List the texts of one answer: the text of a record, next to which messages are its prompt, or the response of a service."""
    return _texts_of(record, reply_of(record))


def _texts_of(record: Mapping[str, Any], reply: Reply | None) -> Sequence[str]:
    return _output_of(record) if reply is None or _has_text(record) else reply.texts


def _rest_of(record: Mapping[str, Any]) -> list[str]:
    """Return the number, or the null, that a record has next to others with a text, as JSON; none of a request that failed."""
    rest = [one for key, one in record.items() if bare(key) in OUTPUTS and (not one or type(one) in (int, float))]
    return [json.dumps(one) for one in rest[:1] if one != "" and not error_of(record)]


def _has_text(record: Mapping[str, Any]) -> bool:
    return any(bare(key) in OUTPUTS and isinstance(one, str) and one for key, one in record.items())


def is_served(record: Mapping[str, Any]) -> bool:
    """Return whether a record is of a batch file, a stream or a response of a service, and no plain record with a text."""
    return "custom_id" in record or is_part(record) or (reply_of(record) is not None and not _has_text(record))


def number_lines(text: str) -> list[tuple[int, str]]:
    """Number the lines that are not empty."""
    return [(number, line) for number, raw in enumerate(text.split("\n"), start=1) if (line := raw.strip())]


def blocks_of(text: str) -> list[tuple[int, str]]:
    """List the contents of code fences with the number of their first line; a fence that is not closed ends with the text."""
    return [
        (first, "\n".join(lines))
        for first, lines in _fences(text)[0]
        if any(map(str.strip, lines)) and not is_program(lines)
    ]


def body_of(text: str) -> str:
    """Return what an answer states: the content of its last code fence, or the whole answer if it has none."""
    blocks = blocks_of(text)
    return blocks[-1][1] if blocks else text


def _fences(text: str) -> tuple[list[tuple[int, list[str]]], bool]:
    """List the lines in each code fence, with the number of the first; return also whether the last one is open, as in a text that is cut off."""
    found: list[tuple[int, list[str]]] = []
    mark = ""
    for number, line in enumerate(text.split("\n") if "```" in text or "~~~" in text else (), start=1):
        fence = FENCE.match(line)
        if fence and not mark:
            mark = fence[1]
            found.append((number + 1, []))
        elif fence and fence[1].startswith(mark) and not fence[2]:
            mark = ""
        elif mark:
            found[-1][1].append(line)
    return found, bool(mark)


def is_program(lines: Sequence[str]) -> bool:
    """Return whether lines are of a program or of commands, which state nothing: arrows and indents in them mean nothing."""
    return any(map(PROGRAM.match, lines))


def without_programs(text: str) -> str:
    """Empty the lines of programs in fences; the others keep their numbers."""
    fences, _ = _fences(text)
    if not fences:
        return text
    lines = text.split("\n")
    for first, inside in fences:
        if is_program(inside):
            # From the line that opens the fence to the one that closes it.
            end = min(first + len(inside), len(lines))
            lines[first - 2 : end] = [""] * (end - first + 2)
    return "\n".join(lines)
