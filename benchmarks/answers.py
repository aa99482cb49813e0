"""Model output in every shape: from the file to the model, CPU time on one thread, compared with a plain loop for that shape with the same checks.

Usage: python benchmarks/answers.py [SHAPE...]

A ratio of 2 means half the time of the plain loop. The loop is what a careful person would write who knows the shape before, as the reader
does not: it finds the fence, takes off bullets, numbers, emphasis, full stops, explanations and, of sentences, articles, refuses empty names, counts the
lines that are none, says which side is the child, numbers the names, and keeps each edge once, with the relation of triples. A tenth of the lines is
written in another way each, as models do. Both sides have to find the same items, which are compared.
"""

import json
import math
import os
import re
import sys
import tempfile
import time
from pathlib import Path

os.environ["POLARS_MAX_THREADS"] = "1"

LINES = 20_000
REPEATS = 3
PROSE = "Sure! Here is what I found in the text that you gave me, in the order of the text:"
FENCE, MARK = re.compile(r"\s*```\w*\s*"), re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
REASON = re.compile(r"\s+[\u2013\u2014]\s.*|,?\s+(?:because|since it|as it|which)\b.*|\s+\((?:an?|the|it)\s[^()]*\)$")
DESCRIBED = re.compile(r":\s|\s[-\u2013\u2014]\s")
DECORATION, ARTICLE = "*_`\"' ", re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
ARROW, IS_A = re.compile(r"\s*(?:->|→|=>)\s*"), re.compile(r"\s+is\s+an?\s+(?:kind\s+of\s+)?", re.IGNORECASE)
NAMED_ARROW, COLON = re.compile(r"\s*--?\[([^\]]+)\]--?>\s*"), re.compile(r"\s*:\s+")
BAR = re.compile(r"(?<!\\)\|")
TUPLE = re.compile(r"[(<]\s*(.*?)\s*[)>](?:[,;.]?|\s*[-:#].*)")
CALL = re.compile(r'\s*"?([^"]+?)"?\s*->\s*"?([^"]+?)"?\s*(?:\[label="([^"]*)"\])?\s*;?')


def name(row):
    return f"kind of thing {row}"


def edges(*templates):
    """Write a line for each edge: a tenth of them in each other way."""

    def one(row):
        return templates[row % 10 if row % 10 < len(templates) else 0].format(row=row, a=name(row), b=name(row // 7))

    return lambda: list(map(one, range(1, LINES)))


def outlined():
    """Write an outline: what is below a name."""
    lines = []
    for row in range(LINES // 8):
        lines += [f"- **{name(row)}**: what it is", *(f"  - {name(row)} no. {at}" for at in range(6))]
        lines.append(f"  - `{name(row)} no. 6` - the last one")
    return lines


def nested():
    return [
        json.dumps(
            {
                name(row): {f"{name(row)} no. {at}": {} for at in range(7)}
                if row % 10
                else [f"{name(row)} no. {at}" for at in range(7)]
                for row in range(LINES // 8)
            }
        )
    ]


def records():
    """Write a batch of answers, each with some lines."""
    lines = edges("({a}, part of, {b})")()
    return [json.dumps({"id": f"d{at}", "output": "\n".join(lines[at : at + 5])}) for at in range(0, len(lines), 5)]


def fenced(lines, language=""):
    return [PROSE, "", f"```{language}", *lines, "```", "", "I hope this helps!"]


def last(text):
    return cleaned(REASON.sub("", text, count=1))


def cleaned(text):
    found = text.strip().rstrip(".,;").strip(DECORATION)
    if not found:
        raise ValueError(text)
    return found


def bodies(file):
    """Return lines with their numbers, without fences and bullets."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not FENCE.fullmatch(line):
            yield number, MARK.sub("", line, count=1).strip()


def split_at(pattern, article=None):
    """Make a loop over lines that are two names with something between them."""

    def pairs(file, prose):
        for number, line in bodies(file):
            parts = pattern.split(line)
            if len(parts) == 3:
                yield cleaned(parts[0]), cleaned(parts[1]), last(parts[2])
            elif len(parts) == 2:
                ends = cleaned(parts[0]), last(parts[1])
                yield tuple(article.sub("", end, count=1) for end in ends) if article else ends
            else:
                prose.append((number, line))

    return pairs


def of_tuples(file, prose):
    for number, line in bodies(file):
        found = TUPLE.fullmatch(line)
        parts = found[1].split(",") if found else ()
        if len(parts) in {2, 3}:
            yield (*map(cleaned, parts[:-1]), last(parts[-1]))
        else:
            prose.append((number, line))


def of_bars(file, prose):
    table = file.name.startswith("Markdown")
    for number, line in bodies(file):
        parts = [part.strip().replace("\\|", "|") for part in BAR.split(line.strip("|"))]
        if len(parts) in {2, 3} and parts[:2] != ["child", "parent"] and not set(parts[0]) <= set(":-"):
            yield tuple(map(cleaned, parts[:2])) if table else tuple(map(cleaned, parts))
        else:
            prose.append((number, line))


def of_outline(file, prose):
    above = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        found = MARK.match(line)
        if not found:
            prose.append((number, line))
            continue
        depth, child = len(line) - len(line.lstrip()), cleaned(DESCRIBED.split(line[found.end() :], maxsplit=1)[0])
        while above and above[-1][0] >= depth:
            above.pop()
        if above:
            yield child, above[-1][1]
        above.append((depth, child))


def of_dot(file, prose):
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if found := CALL.fullmatch(line):
            yield cleaned(found[1]), cleaned(found[2])
        elif line.strip():
            prose.append((number, line))


def of_nested(file, _):
    waiting = [(None, json.loads(file.read_text(encoding="utf-8")))]
    while waiting:
        parent, inner = waiting.pop()
        for child, more in inner.items():
            if parent is not None:
                yield cleaned(child), parent
            waiting.append((cleaned(child), more if isinstance(more, dict) else {key: {} for key in more}))


def of_records(file, prose):
    seen = set()
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["id"] in seen:
            raise ValueError(record)
        seen.add(record["id"])
        for row in record["output"].splitlines():
            found = TUPLE.fullmatch(row.strip())
            parts = found[1].split(",") if found else ()
            if len(parts) == 3:
                yield (record["id"], *map(cleaned, parts))
            else:
                prose.append((record["id"], row))


SHAPES = {
    "arrows": (
        "taxonomy",
        edges("{a} -> {b}", "- **{a}** → {b}", "{row}. {a} => {b} — because it is one"),
        split_at(ARROW),
    ),
    "bullets with arrows": (
        "taxonomy",
        lambda: [PROSE, *edges("- **{a}** → {b}", "- `{a}` -> *{b}*")()],
        split_at(ARROW),
    ),
    "arrows in a fence": (
        "taxonomy",
        lambda: fenced(edges("{a} -> {b}", "{a} => {b}, because it is one")()),
        split_at(ARROW),
    ),
    "sentences": (
        "taxonomy",
        lambda: [PROSE, *edges("{row}. A {a} is a kind of {b}.", "- **{a}** is a {b}, which is known.")()],
        split_at(IS_A, ARTICLE),
    ),
    "pairs in brackets": (
        "taxonomy",
        edges("({a}, {b})", "- ({a}, {b})", '{row}. ("{a}", "{b}"): it is one'),
        of_tuples,
    ),
    "Markdown table": (
        "taxonomy",
        lambda: [
            PROSE,
            "",
            "| child | parent | why |",
            "|---|---|---|",
            *edges("| {a} | {b} | - |", "| **{a}** | {b} | it is |")(),
        ],
        of_bars,
    ),
    "outline": ("taxonomy", lambda: [PROSE, "", *outlined()], of_outline),
    "nested JSON": ("taxonomy", lambda: fenced(nested(), "json"), of_nested),
    "DOT": (
        "taxonomy",
        lambda: ["digraph G {", *edges('  "{a}" -> "{b}";', '  "{a}" -> "{b}" [label="is a"];')(), "}"],
        of_dot,
    ),
    "triples, arrows": (
        "triples",
        lambda: [PROSE, *edges("- {a} -[part of]-> {b}", "- **{a}** --[part of]--> {b}")()],
        split_at(NAMED_ARROW),
    ),
    "triples, tuples": (
        "triples",
        lambda: fenced(edges("({a}, part of, {b})", "- ({a}, part of, {b}) - it is")()),
        of_tuples,
    ),
    "triples, bars": (
        "triples",
        lambda: [PROSE, *edges("{a} | part of | {b}", "- **{a}** | part of | {b}")()],
        of_bars,
    ),
    "batch of triples": ("triples", records, of_records),
    "labels": ("labels", edges("{a}: kind {row}", "- **{a}**: kind {row} (it is one)"), split_at(COLON)),
    "alignment": ("alignment", edges("{a} = {b}", "- `{a}` = `{b}`"), split_at(re.compile(r"\s+=\s+"))),
}


def items(kind, model):
    """List the items of a model as the loops do."""
    if kind == "taxonomy":
        return set(zip(*(model.texts[model.edges[:, end]].tolist() for end in (0, 1)), strict=True))
    if kind == "triples":
        names = [tuple(row) for row in model.keys[model.rows].tolist()]
        return set(names)
    return {tuple(model.item(row).split(": " if kind == "labels" else " = ", 1)) for row in range(len(model))}


def plain(pairs, file):
    numbers, found, prose = {}, {}, []
    for row in pairs(file, prose):
        found.setdefault(tuple(numbers.setdefault(one, len(numbers)) for one in row), len(found))
    if len(prose) > len(found):
        raise ValueError(prose[0])
    return numbers, found


def seconds(read, *given, **options):
    start = time.process_time()
    found = read(*given, **options)
    return time.process_time() - start, found


def main(chosen):
    import goldassay

    worst = math.inf
    with tempfile.TemporaryDirectory() as folder:
        for shape, (kind, write, pairs) in SHAPES.items():
            if chosen and shape not in chosen:
                continue
            file = Path(folder, f"{shape.replace(' ', '_')}.{'jsonl' if write is records else 'txt'}")
            file.write_text("\n".join(write()) + "\n", encoding="utf-8")
            if pairs is of_nested:
                bare = Path(folder, "bare.json")
                bare.write_text("\n".join(nested()), encoding="utf-8")
            options = {"arrows": "child-parent"} if kind == "taxonomy" else {}
            took = []
            for _ in range(REPEATS):
                ours, model = seconds(goldassay.read, str(file), kind=kind, **options)
                theirs, found = seconds(plain, pairs, bare if pairs is of_nested else file)
                took.append((theirs / ours, ours, theirs))
            numbered = next(iter(found[1]))
            names, mine = list(found[0]), items(kind, model)
            theirs_found = {tuple(names[place] for place in row)[-len(next(iter(mine))) :] for row in found[1]}
            assert mine == theirs_found, (shape, numbered, sorted(mine ^ theirs_found)[:4])  # noqa: S101
            ratio, ours, theirs = sorted(took)[REPEATS // 2]
            worst = min(worst, ratio)
            print(f"{shape:<22}{ours:>8.3f}{theirs:>8.3f}{ratio:>7.2f}", flush=True)
    print(f"worst {worst:.2f}")
    return worst


if __name__ == "__main__":
    main(sys.argv[1:])
