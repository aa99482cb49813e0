"""Tables of every family and spelling, from the file to the model: CPU time on one thread, compared with a plain loop that makes the same checks.

Usage: python benchmarks/tables.py [FAMILY...]

A ratio of 2 means half the time of the plain loop. The loop is what a careful person would write: the csv module (for Parquet the
rows of polars), columns by their names, blanks stripped, empty cells refused, scores checked, duplicates merged.
"""

import codecs
import csv
import io
import json
import math
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["POLARS_MAX_THREADS"] = "1"

ROWS = 50_000
REPEATS = 5
LABELS = 5_000


def distinct(row):
    return [f"first name {row}", "has part" if row % 2 else "made of", f"second name {row}"]


def repeated(row):
    return [f"first name {row % 999}", "has part" if row % 2 else "made of", f"second name {row % 1_000}"]


def accented(row):
    return [f"{name} café" if row % 10 == 0 and at != 1 else name for at, name in enumerate(distinct(row))]


def iris(row):
    first, relation, second = distinct(row)
    return [
        f"http://example.org/a#{first.replace(' ', '_')}",
        relation,
        f"http://example.org/b/{second.replace(' ', '_')}",
    ]


def document(row):
    return f"document {row // 5}"


def number(row):
    return f"{row % 997 / 1_000}"


FAMILIES = {
    "taxonomy": (["child", "parent"], lambda _, names: [names[0], names[2]]),
    "graph": (["child", "relation", "parent"], lambda _, names: names),
    "hierarchy": (["child", "parent"], lambda _, names: [names[0], names[2]]),
    "axioms": (["class", "property", "object"], lambda _, names: names),
    "axioms with kinds": (["class", "property", "object", "kind"], lambda _, names: [*names, "object"]),
    "alignment": (["source", "target", "relation", "score"], lambda row, names: [names[0], names[2], "=", number(row)]),
    "triples": (["id", "subject", "predicate", "object"], lambda row, names: [document(row), *names]),
    "labels": (
        ["instance", "label", "score"],
        lambda row, names: [f"{names[0]} {row // 5}", f"label {row * 7 % LABELS}", number(row)],
    ),
    "concepts": (["id", "concepts"], lambda row, names: [f"d{row}", f"{names[0]}; {names[2]}; {row % 77}"]),
    "sentences": (["id", "text"], lambda row, names: [f"s{row}", f"The {names[0]} is a {names[2]}."]),
}


def text_of(rows, separator=",", quoting=csv.QUOTE_MINIMAL, ends="\n"):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=ends).writerows(rows)
    return out.getvalue().encode()


def parquet_of(rows):
    import polars as pl

    out = io.BytesIO()
    pl.DataFrame(rows[1:], schema=rows[0], orient="row").write_parquet(out)
    return out.getvalue()


def objects_of(rows, *, ascii_only=False, extra=(), back=False):
    names = [*rows[0], *extra]
    for row in rows[1:]:
        cells = list(zip(names, [*row, *("0.5" for _ in extra)], strict=True))
        yield json.dumps(dict(cells[::-1] if back else cells), ensure_ascii=ascii_only)


def lines_of(rows, ends="\n", **how):
    return "".join(line + ends for line in objects_of(rows, **how)).encode()


def array_of(rows, indent=None, *, ascii_only=True):
    return json.dumps([json.loads(line) for line in objects_of(rows)], indent=indent, ensure_ascii=ascii_only).encode()


def spaced(rows):
    """Write an array as editors leave it: with a byte order mark, tabs, blank lines and the line ends of Windows."""
    text = array_of(rows, "\t", ascii_only=False).replace(b"\t},\n", b"\t},\n\n").replace(b"\n", b"\r\n")
    return codecs.BOM_UTF8 + text


def wrapped(rows):
    """Write triples without documents under one key."""
    return b'{"triples": ' + array_of([row[1:] for row in rows], 2) + b"}"


def broken_last(rows):
    return [*rows[:-1], [f"{rows[-1][0]}\nmore", *rows[-1][1:]]]


def wider(rows):
    return [[*rows[0], "weight", "comment"], *([*row, "0.5", "seen, twice"] for row in rows[1:])]


SPELLINGS = {
    "plain": (distinct, "csv", text_of),
    "accents": (accented, "csv", text_of),
    "all quoted": (distinct, "csv", lambda rows: text_of(rows, quoting=csv.QUOTE_ALL)),
    "line break": (distinct, "csv", lambda rows: text_of(broken_last(rows))),
    "CRLF": (distinct, "csv", lambda rows: text_of(rows, ends="\r\n")),
    "more columns": (distinct, "csv", lambda rows: text_of(wider(rows))),
    "other order": (distinct, "csv", lambda rows: text_of([row[::-1] for row in rows])),
    "repeated": (repeated, "csv", text_of),
    "IRIs": (iris, "csv", text_of),
    "TSV": (distinct, "tsv", lambda rows: text_of(rows, "\t")),
    "JSON Lines": (distinct, "jsonl", lines_of),
    "escapes": (accented, "jsonl", lambda rows: lines_of(rows, ascii_only=True)),
    "more keys": (accented, "jsonl", lambda rows: lines_of(rows, ends="\r\n", extra=("comment", "text"), back=True)),
    "array": (distinct, "json", array_of),
    "pretty array": (accented, "json", lambda rows: array_of(rows, indent=2)),
    "escaped array": (accented, "json", array_of),
    "UTF-8 array": (accented, "json", lambda rows: array_of(rows, ascii_only=False)),
    "spaced array": (accented, "json", spaced),
    "wrapped": (accented, "json", wrapped),
    "Parquet": (distinct, "parquet", parquet_of),
    "Parquet, wider": (repeated, "parquet", lambda rows: parquet_of(wider(rows))),
}


def rows_of(file):
    if file.suffix == ".parquet":
        import polars as pl

        frame = pl.read_parquet(file)
        yield from [frame.columns]
        yield from frame.iter_rows()
        return
    if file.suffix.startswith(".json"):
        with file.open(encoding="utf-8-sig") as table:
            records = json.load(table) if file.suffix == ".json" else map(json.loads, table)
            if isinstance(records, dict):
                [records] = records.values()
            names = None
            for record in records:
                if names is None:
                    names = list(record)
                    yield names
                yield [record[name] for name in names]
        return
    with file.open(newline="", encoding="utf-8") as table:
        yield from csv.reader(table, delimiter="\t" if file.suffix == ".tsv" else ",")


def checked(file, columns, blank=()):
    rows = rows_of(file)
    header = [name.strip() for name in next(rows)]
    places = [header.index(name) for name in columns]
    for line, row in enumerate(rows, start=2):
        cells = [row[place].strip() for place in places]
        for name, cell in zip(columns, cells, strict=True):
            if not cell and name not in blank:
                raise ValueError(f"line {line}: the {name} is empty")
        yield cells


def plain_edges(file, columns):
    """Number the nodes, and keep each edge once."""
    numbers, edges = {}, set()
    for source, *relation, target in checked(file, columns):
        ends = numbers.setdefault(source, len(numbers)), numbers.setdefault(target, len(numbers))
        edges.add((*ends, *relation))
    return edges


def plain_axioms(file, columns):
    numbers, axioms = {}, {}
    for cells in checked(file, columns):
        names = [cell.rpartition("#")[2].rpartition("/")[2] if "://" in cell else cell for cell in cells[:3]]
        axioms.setdefault(tuple(numbers.setdefault(name, len(numbers)) for name in names), cells[3:])
    return axioms


def plain_alignment(file, columns):
    found = {}
    for source, target, relation, written in checked(file, columns):
        if not 0 <= (score := float(written)) <= 1:
            raise ValueError(written)
        found[source, target, relation] = max(score, found.get((source, target, relation), 0))
    return found


def plain_triples(file, columns):
    found, names = {}, next(rows_of(file))
    chosen = [name for name in (*columns, "weight") if name in names]
    for cells in checked(file, chosen):
        weight = float(cells.pop()) if "weight" in names else 1.0
        found.setdefault(cells.pop(0) if "id" in names else "1", {})[tuple(cells)] = weight
    return found


def plain_labels(file, columns):
    known = {f"label {number}" for number in range(LABELS)}
    found = {}
    for instance, label, written in checked(file, columns):
        if not math.isfinite(score := float(written)):
            raise ValueError(written)
        if label in known:
            found[instance, label] = max(score, found.get((instance, label), 0))
    return found


def plain_concepts(file, columns):
    is_json, found = file.suffix.startswith(".json"), {}
    for name, listed in lists_in(file, columns) if is_json else checked(file, columns, blank=("concepts",)):
        if name in found:
            raise ValueError(name)
        parts = listed if is_json else listed.replace("|", ";").split(";")
        found[name] = {part.strip() for part in parts if part.strip()}
    return found


def lists_in(file, columns):
    """Read records whose second column is a list."""
    rows = rows_of(file)
    header = next(rows)
    identifier, given = map(header.index, columns)
    for line, row in enumerate(rows, start=1):
        if not (name := row[identifier].strip()):
            raise ValueError(f"record {line}: the id is empty")
        yield name, row[given]


def plain_sentences(file, columns):
    found = {}
    for name, text in checked(file, columns):
        found.setdefault(name, []).append(text)
    return found


def readers(hierarchy):
    from goldassay.alignments.read import read_alignment
    from goldassay.axioms.read import read_axioms
    from goldassay.concepts.read import read_concepts
    from goldassay.graphs.read import read_graph
    from goldassay.graphs.reading import GraphReading
    from goldassay.labels.read import read_labels
    from goldassay.labels.read_hierarchy import read_hierarchy
    from goldassay.labels.reading import LabelReading
    from goldassay.triples.read import read_triples_of_documents
    from goldassay.unl.read_sentences import read_sentences

    def read_again(file):
        # What is read is kept as long as the file does not change.
        os.utime(file)
        return read_hierarchy(LabelReading(hierarchy=str(file)))[0]

    return {
        "taxonomy": (read_graph, plain_edges),
        "graph": (lambda file: read_graph(file, GraphReading(edges="all")), plain_edges),
        "hierarchy": (read_again, plain_edges),
        "axioms": (read_axioms, plain_axioms),
        "axioms with kinds": (read_axioms, plain_axioms),
        "alignment": (read_alignment, plain_alignment),
        "triples": (read_triples_of_documents, plain_triples),
        "labels": (lambda file: read_labels(file, LabelReading(hierarchy=str(hierarchy))), plain_labels),
        "concepts": (read_concepts, plain_concepts),
        "sentences": (read_sentences, plain_sentences),
    }


def seconds(*readers):
    """Take the best time of each reader; they take turns, since the load of a machine changes."""
    best, found = [math.inf] * len(readers), [None] * len(readers)
    for _ in range(REPEATS):
        for at, read in enumerate(readers):
            start = time.process_time()
            found[at] = read()
            best[at] = min(best[at], time.process_time() - start)
    return best, found


def write_table(folder, family, spelling, count=ROWS):
    """Write a table of a family; none where it has no such spelling."""
    (header, row_of), (names, ending, write) = FAMILIES[family], SPELLINGS[spelling]
    if spelling == "wrapped" and family != "triples":
        # Only triples are read from an object with a list.
        return None
    rows = [header, *(row_of(row, names(row)) for row in range(count))]
    if family == "concepts" and ending.startswith("json"):
        # In records concepts are lists.
        rows = [header, *([name, listed.split("; ")] for name, listed in rows[1:])]
    file = folder / f"{family} {spelling}.{ending}".replace(",", "")
    file.write_bytes(write(rows))
    return file


def write_hierarchy(folder):
    """Write the hierarchy of the labels."""
    file = folder / "hierarchy.csv"
    file.write_text("child,parent\n" + "".join(f"label {row},label {row // 9}\n" for row in range(1, LABELS)))
    return file


def ratios(family, folder, read, plain):
    header, _ = FAMILIES[family]
    for spelling in SPELLINGS:
        if (file := write_table(folder, family, spelling)) is None:
            yield spelling, math.inf, 0, 1
            continue
        (ours, theirs), (model, _) = seconds(lambda file=file: read(file), lambda file=file: plain(file, header))
        yield spelling, theirs / ours, ours, len(model)


def main(chosen):
    """Print the ratio of every spelling of some families, and return the worst."""
    worst = math.inf
    print(f"{'':<19}" + "".join(f"{spelling:>{max(8, len(spelling) + 2)}}" for spelling in SPELLINGS) + "   worst")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = readers(write_hierarchy(folder))
        for family in chosen or FAMILIES:
            print(f"{family:<19}", end="", flush=True)
            found = []
            for spelling, ratio, _, size in ratios(family, folder, *every[family]):
                assert size, (family, spelling)  # noqa: S101
                found.append(ratio)
                print(f"{ratio:>{max(8, len(spelling) + 2)}.2f}", end="", flush=True)
            print(f"{min(found):>8.2f}", flush=True)
            worst = min(worst, *found)
    return worst


if __name__ == "__main__":
    main(sys.argv[1:])
