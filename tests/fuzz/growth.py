"""Linear time: each reader on one pattern repeated n and 2n times must not take more than about twice as long."""

import multiprocessing
import tempfile
import time
import warnings
from pathlib import Path

SIZE = 50_000
"""Bytes of the shorter input."""
FACTOR = 3.2
"""A linear scanner takes twice as long for twice as much, a quadratic one four times."""
UNNOTICED = 0.15
"""Seconds within which no one looks for a factor."""
LONGEST = 10
TTL = "@prefix x: <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"'
SCRIPTS = (
    "The patient denies fever. ",
    "Пациент отрицает боль в груди. ",
    "Ο ασθενής αρνείται πυρετό. ",  # noqa: RUF001
    "ينفي المريض وجود حمى. ",
    "रोगी को बुखार नहीं है। ",
    "患者没有发烧也没有咳嗽。",
    "患者は発熱や咳を否定している。",
    "🤒🩺👩\u200d⚕️ ",
)
"""Latin, Cyrillic, Greek, Arabic, Devanagari, Chinese, Japanese, emoji."""
# Each place where a text of any language may be: target, file name, what comes before, what comes after.
TEXTS = (
    ("taxonomy", "a.csv", "child,parent\n", ",pet\n"),
    ("taxonomy", "a.jsonl", '{"child": "', '", "parent": "pet"}\n'),
    ("taxonomy", "a.json", '{"nodes": [{"id": "', '"}], "links": []}'),
    ("taxonomy", "a.ttl", f'{TTL}x:a rdfs:label "', '" .'),
    (
        "taxonomy",
        "a.rdf",
        f'{RDF}><rdf:Description rdf:about="x:a"><rdfs:label>',
        "</rdfs:label></rdf:Description></rdf:RDF>",
    ),
    ("taxonomy", "a.obo", "[Term]\nid: a\nname: ", "\n"),
    ("taxonomy", "a.ofn", 'Ontology(AnnotationAssertion(rdfs:label <x:a> "', '"))'),
    ("taxonomy", "a.taxo", "1\t", "\tpet\n"),
    ("axioms", "a.md", "| class | property | object |\n|---|---|---|\n| ", " | b | c |\n"),
    ("alignment", "a.tsv", "source\ttarget\n", "\tb\n"),
    ("triples", "a.txt", "<triplet> ", " <subj> b <obj> c\n"),
    ("triples", "a.json", '{"triples": [["', '", "b", "c"]]}'),
    (
        "triples",
        "a.xml",
        "<benchmark><entries><entry><modifiedtripleset><mtriple>",
        " | b | c</mtriple></modifiedtripleset></entry></entries></benchmark>",
    ),
    ("concepts", "a.csv", "id,text\n1,", "\n"),
    ("concepts", "a.jsonl", '{"id": "1", "concepts": ["', '"]}\n'),
    ("labels", "a.csv", "instance,label\n", ",cat\n"),
    ("sentences", "a.txt", "", "\n"),
    ("unl", "a.unl", "[S:1]{org}", "{/org}{unl}agt(a,b){/unl}[/S]"),
    ("unl", "a.unl", "[S:1]{unl}agt(", ",b){/unl}[/S]"),
    ("verdict", "literal.f1.csv", "", ""),
)
# Each place of an answer where a name is, and each line that may be repeated: what is repeated has a text, or is one.
ANSWERS = (
    *(
        (before, "{0}", after)
        for before, after in (
            ("x\n- ", "\n  - b\n"),
            ("x\n", " -> pet\n"),
            ("x\nA ", " is a kind of pet.\n"),
            ("x\n(", ", is a, pet)\n"),
            ("x\n* **", "**: a pet\n"),
            ('x\n```json\n[["', '", "pet"]]\n```\n'),
            ("x\n| child | parent |\n|---|---|\n| ", " | pet |\n"),
            ("x\n", "\n"),
        )
    ),
    *(
        ("x\n", f"{line}\n", "")
        for line in ("{0} -> pet", "- {0}", "A {0} is a pet.", "({0}, is a, pet)", "| {0} | pet |", "**{0}**:")
    ),
)
# Target, file name, what comes before, the pattern, what comes after.
CASES: tuple[tuple[str, str, str, str, str], ...] = (
    *((target, name, before, text, after) for target, name, before, after in TEXTS for text in SCRIPTS),
    *(
        (target, "a.txt", before, pattern.replace("{0}", text), after)
        for target in ("taxonomy", "triples")
        for before, pattern, after in ANSWERS
        for text in SCRIPTS
    ),
    *(
        ("unl", "a.unl", "", pattern, "")
        for pattern in (
            "[W]",
            "[S:",
            "[S",
            "{unl:",
            "{unl}",
            "{/unl}",
            "[/S]",
            "[W]a[/W]",
            ".@a",
            "agt(",
            "agt(a,b) ",
            "&#",
            "{en:",
            "<br",
        )
    ),
    *(
        ("unl", "a.unl", "[S:1]{unl}", pattern, "{/unl}[/S]")
        for pattern in (" ", "agt(a.@b ,c)", ".@ ", "agt( ", "a:0", "(icl>", '"', "a, ", "agt (a; b) ", ":01", "[W] ")
    ),
    *(
        ("statements", "a.ofn", "Ontology(", pattern, ")")
        for pattern in ('"', '"\\\\"', '\\"', "(", "<", "#", "A ", "Prefix(", '"a"@')
    ),
    *(
        ("taxonomy", "a.obo", "[Term]\nid: a\nname: b", pattern, "\n")
        for pattern in ("{", "!", '"', "\\", " ", "{}", " {a=b}", ' "a"', "\\n")
    ),
    *(
        ("taxonomy", "a.obo", "[Term]\nid: a\n", pattern, "\n")
        for pattern in ("is_a: b\n", "synonym: ", "\n", "[Term]\n", "x: y\n", ":", "relationship: a b\n")
    ),
    *(
        ("axioms", "a.md", "| a | b | c |\n|---|---|---|\n", pattern, "\n")
        for pattern in ("|", "| a ", "-", "|-", " ", "\\|", "|---|\n", "| a | b | c |\n", "`")
    ),
    *(("axioms", "a.md", "", pattern, "\n") for pattern in ("|", "-", "|-", ":-", "#", "| ", "|-|\n")),
    *(
        ("taxonomy", "a.ttl", TTL, pattern, " .")
        for pattern in ("<", '"', "'", "\\", "#", "(", "[", "x:a rdfs:subClassOf x:b . ", '"""', "<<", "[] ")
    ),
    *(
        ("statements", "a.ttl", TTL, pattern, "")
        for pattern in ("_:a x:p _:b . ", "[] x:p [] . ", "x:a x:p ( x:b ) . ")
    ),
    *(
        ("taxonomy", "a.rdf", f"{RDF}{{0}}>", pattern, "</rdf:RDF>")
        for pattern in ("<!--", "<![CDATA[", "<?a ", "&amp;", "&#65;", "<a/>", "<rdf:Description/>", "]]>", "<!-- -->")
    ),
    ("taxonomy", "a.rdf", RDF, ' xmlns:q{i}="u{i}"', "></rdf:RDF>"),
    ("taxonomy", "a.rdf", RDF, ' q{i}="u"', "></rdf:RDF>"),
    ("taxonomy", "a.rdf", "<!DOCTYPE a [", "<!ENTITY a{i} 'b'>", f"]>{RDF}></rdf:RDF>"),
    ("taxonomy", "a.rdf", "<!DOCTYPE a [<!ENTITY a 'b'>]>" + RDF + ">", "&a;", "</rdf:RDF>"),
    (
        "taxonomy",
        "a.owx",
        '<Ontology xmlns="http://www.w3.org/2002/07/owl#">',
        '<Prefix name="a{i}" IRI="u"/>',
        "</Ontology>",
    ),
    ("taxonomy", "a.owx", '<Ontology xmlns="http://www.w3.org/2002/07/owl#"', ' xmlns:q{i}="u{i}"', "></Ontology>"),
    *(
        ("taxonomy", "a.csv", "child,parent\n", pattern, "\n")
        for pattern in ('"', ",", "a,b\n", '"a\n', ";", "\r", '"a","b"\n', "\n", " \n", '"a""b",c\n')
    ),
    *(("taxonomy", "a.csv", "", pattern, "\n") for pattern in ("a,", "a{i},", ";", '"a",', "\t")),
    *(("taxonomy", "a.jsonld", "", pattern, "") for pattern in ("[", "{", '{"a":', '"', "\\", '"\\u00e9', "[[],")),
    ("taxonomy", "a.jsonld", '{"@context": {', '"a{i}": "http://x/{i}",', '"z": "http://x/z"}}'),
    ("taxonomy", "a.jsonld", '{"@context": {', '"a{i}": "a{i}x:b",', '"z": "http://x/z"}}'),
    ("taxonomy", "a.json", '{"graphs": [{"nodes": [', '{"id": "x{i}"},', '{"id": "y"}]}]}'),
    *(
        ("alignment", "a.sssom.tsv", "#curie_map:\n", pattern, "\nsubject_id\tpredicate_id\tobject_id\n")
        for pattern in ("#  a{i}: http://x/\n", "# \n", "#", "#  a: ", "#x", '#  "')
    ),
    *(
        ("alignment", "a.tsv", "SrcEntity\tTgtEntity\tTgtCandidates\na\tb\t", pattern, "\n")
        for pattern in ("[", "('a',", "['b',", "'", '"', "\\'", "[('a{i}', 1),", "1", "1.", "e")
    ),
    *(
        (
            "alignment",
            "a.rdf",
            '<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment">',
            pattern,
            "</rdf:RDF>",
        )
        for pattern in ("<map>", "<map><Cell/></map>", " ", "<entity1 ", "<map> <Cell> ")
    ),
    *(
        ("triples", "a.txt", "", pattern, "\n")
        for pattern in (
            "<triplet>",
            "<triplet> a <subj> b <obj> c ",
            "<subj>",
            "[",
            "['a',",
            "[['a','b','c']]\n",
            "'",
            "<s>",
        )
    ),
    *(("triples", "a.json", "", pattern, "") for pattern in ("[", '{"triples": ', '"', '[["a","b","c"],')),
    *(
        ("triples", "a.jsonl", "", pattern, "\n")
        for pattern in ('{"id": "{i}", "triples": []}\n', "{}\n", '{"id": 1}\n', "\n", "x\n")
    ),
    *(
        ("triples", "a.csv", "id,subject,predicate,object\n", pattern, "\n")
        for pattern in ("d{i},a,b,c\n", '"', "d,a,b,c\n", ",\n")
    ),
    (
        "triples",
        "a.graphml",
        "<graphml><graph>",
        '<node id="n{i}"/><edge source="n{i}" target="n0"/>',
        "</graph></graphml>",
    ),
    (
        "triples",
        "a.graphml",
        "<graphml><graph>",
        '<edge source="a" target="b"><data key="source_id">c{i}&lt;SEP&gt;</data></edge>',
        "</graph></graphml>",
    ),
    (
        "triples",
        "a.xml",
        "<benchmark><entries>",
        "<entry><modifiedtripleset><mtriple>a | b | c</mtriple></modifiedtripleset></entry>",
        "</entries></benchmark>",
    ),
    (
        "triples",
        "a.xml",
        "<benchmark><entries><entry><modifiedtripleset><mtriple>",
        "a | ",
        "</mtriple></modifiedtripleset></entry></entries></benchmark>",
    ),
    ("triples", "a.nq", "", '<http://x/a{i}> <http://x/p> "b" <http://x/g{i}> .\n', ""),
    *(("triples", "a.nq", "<http://x/a> <http://x/p> ", pattern, " .\n") for pattern in ('"', "\\", '"\\"', "<")),
    *(
        ("labels", "a.gaf", "!gaf-version: 2.2\n", pattern, "\n")
        for pattern in ("\t", "a\tb\tc\t\te\n", "!\n", "a\tb\tc\tNOT|\te\n", "|")
    ),
    *(("labels", "a.txt", "", pattern, "\n") for pattern in ("1 ", "1 2\n", "9", "AUTHOR\n", "1\n2\n")),
    *(("labels", "a.tsv", "instance\tlabel\n", pattern, "\n") for pattern in ("d{i}\tcat\n", "d\tl{i}\n", "\t")),
    ("labels", "a.jsonl", "", '{"instance": "d{i}", "label": ["cat"]}\n', ""),
    ("labels", "a.jsonl", '{"instance": "d", "label": ["cat"', ', "l{i}"', "]}\n"),
    *(("hierarchy", "a.csv", "child,parent\n", pattern, "\n") for pattern in ("c{i},p\n", "c,p{i}\n", "c{i},c{j}\n")),
    *(("hierarchy", "a.txt", "", pattern, "\n") for pattern in ("1 2\n", "{i} {j}\n", "1 ")),
    ("hierarchy", "a.obo", "format-version: 1.2\n", "[Term]\nid: a{i}\nalt_id: b{i}\nis_a: a{j}\n\n", ""),
    (
        "ontology",
        "a.ttl",
        TTL,
        "x:c{i} a <http://www.w3.org/2002/07/owl#Class> ; rdfs:subClassOf x:c{j} . ",
        "x:p a <http://www.w3.org/2002/07/owl#ObjectProperty> .",
    ),
    ("ontology", "a.json", '{"relations": [', '{"label": "r{i}"},', '{"label": "s"}]}'),
    *(("synonyms", "a.csv", "", pattern, "\n") for pattern in ("a{i},a{j}\n", "a{j},a{i}\n", "a,b{i}\n")),
    *(
        ("concepts", "a.csv", "id,text\n1,", pattern, "\n")
        for pattern in ("a ", "a", "aspirin, ", ".", "-", "the ", "\u0301", "A.")
    ),
    *(
        ("concepts", "a.jsonl", "", pattern, "\n")
        for pattern in ('{"id": "{i}", "text": "cat"}\n', '{"id": 1, "concepts": ["a"]}\n')
    ),
    *(("sentences", "a.txt", "", pattern, "\n") for pattern in ("a ", "\n", "[S]", "\u2028", "{unl}")),
    *(("spec", "a.txt", "fuzzy(", pattern, ")") for pattern in ("a", "(", "[", "'", "a=", "a=1,", "\\", "=[", " ")),
    *(("gate", "a.txt", "", pattern, "=0.5") for pattern in ("a", "a.", "=", "(", "[a=", "1", ".")),
    *(("scope", "a.txt", "", pattern, "") for pattern in ("a\n", "\n", "\r", "\u2028")),
    # Names of columns, and what shows a table without them.
    *(("taxonomy", "a.csv", "", pattern, "x,b\n2,c\n") for pattern in ("1", ":start_id(", "a:1", "_id", "a.", "type(")),
    *(("triples", "a.csv", "subject,predicate,object\na,b,", pattern, "x\n") for pattern in ("0", "1.", "(:", "[:")),
    # Model output, and what graph builders write.
    *(
        (target, "a.txt", before, pattern, "\nx")
        for target in ("taxonomy", "triples", "labels", "alignment", "axioms")
        for before, pattern in (
            ("Here it is:\n", "cat -> pet\n"),
            ("", "->"),
            ("- a", " -> b"),
            ("", "- a\n"),
            ("- a\n", "  "),
            ("", "* **a**: b\n"),
            ("1. ", "(a, b) "),
            ("(", "a, "),
            ("[", "("),
            ("a: ", "b, "),
            ("```json\n", "{"),
            ("```json\n", '{"a": ["b", '),
            ("```", "`"),
            ("x\n", "```\na\n"),
            ("", "**"),
            ("```mermaid\ngraph TD\n", "a --> "),
            ("```mermaid\n", "a[b"),
            ("```mermaid\n", "a -->|b| c\n"),
            ("```dot\ndigraph {", "a -> "),
            ("digraph {", '"a" -> "b";'),
            ("digraph {", '"'),
            ("```cypher\nCREATE ", "(a)-[:B]->"),
            ("CREATE ", "(a:B {c: 'd'}), "),
            ("| a | b |\n|---|---|\n", "| a "),
            ("", "a is a b. "),
            ("Class: a\n", "SubClassOf: b\n"),
            ("Class: a\n SubClassOf: ", "("),
            ("", "<think>"),
            ("", "a\tb\n"),
            ("x", "\n"),
            ("x", " \n"),
            ("x\n", "<s>\n"),
            ("- a", " "),
            ("a is a b", "  "),
            ("x", "##"),
            ("", '("entity"<|>a<|>b)##'),
            ("", "("),
            ("0.9: (", "a; "),
            ("", "0.9\ta\tb\tc\n"),
            ("a,b\n", "(:"),
            ("", "<subj>"),
        )
    ),
    *(
        ("triples", "a.json", before, pattern, "]}")
        for before, pattern in (
            ('{"entities": ["a"], "edges": [], "relations": [', '["a", "b{i}", "a"],'),
            ('{"nodes": [], "relationships": [', '{"source": {"id": "a"}},'),
            ('{"graph_dict": {"nodes": {', '"a{i}": {"label": "b"},'),
            ('{"vertexSet": [', '[{"name": "a{i}"}],'),
            ('{"sentences": [{"openie": [', '{"subject": "a"},'),
        )
    ),
    ("taxonomy", "a.ttl", TTL + 'x:a rdfs:label "', '"\\', ""),
    *(
        ("verdict", "triples.f1.jsonl", "", pattern, "")
        for pattern in ("(", "a -> b\n", "```", '{"triples": [', "<s>\n")
    ),
    *(("labelled", "verdicts.csv", "item,verdict\n", pattern, "\n") for pattern in ("1,yes\n", '"', "a{i},no\n")),
    *(
        ("labelled", "verdicts.jsonl", "", pattern, "\n")
        for pattern in ('{"item": "{i}", "verdict": true}\n', "{}\n", "[")
    ),
    *(
        ("ratings", "ratings.csv", "item,system,rating\n", pattern, "\n")
        for pattern in ("{i},a,1\n", "1,a{i},1\n", '"', "1,a,1\n")
    ),
    *(
        ("challenge", "a.toml", "", pattern, "\n")
        for pattern in ("a{i} = 1\n", "a.", "[[phases]]\n", '"', "[a{i}]\n", "#")
    ),
    *(("report", "a.json", "", pattern, "") for pattern in ("[", '{"schema": "goldassay.report/1", "a": ', '"')),
)


def written(before: str, pattern: str, after: str, size: int) -> bytes:
    """Repeat a pattern to a size; ``{i}`` is its number and ``{j}`` the next one."""
    counted = "{i}" in pattern or "{j}" in pattern
    if counted:
        count = size // (len(pattern) + 1)
        middle = "".join(pattern.replace("{i}", str(row)).replace("{j}", str(row + 1)) for row in range(count))
    else:
        middle = pattern * (size // len(pattern))
    return f"{before}{middle}{after}".encode()


def seconds(target: str, path: Path, data: bytes) -> float:
    """Take the processor time of one input; a refusal takes its time too."""
    from tests.fuzz.fuzzing import tried

    path.write_bytes(data)
    begin = time.process_time()
    outcome = tried(target, path)
    took = time.process_time() - begin
    if isinstance(outcome, str):
        raise AssertionError(outcome)  # noqa: TRY004 - the outcome is what failed
    return took


def grows(target: str, path: Path, before: str, pattern: str, after: str) -> str | None:
    """Time a pattern at n and 2n, and what seems more than linear at up to 8n too; say what is wrong with it."""
    # A collection of garbage may fall into one run, and a step from one way of reading to another between two sizes.
    for size, runs in ((SIZE, 1), (2 * SIZE, 3), (4 * SIZE, 3)):
        inputs = [(path, written(before, pattern, after, size * times)) for times in (1, 2)]
        long = min(seconds(target, *inputs[1]) for _ in range(runs))
        if long < UNNOTICED:
            return None
        short = min(seconds(target, *inputs[0]) for _ in range(runs))
        if long < FACTOR * short and long < LONGEST:
            return None
        if long > LONGEST:
            break
    return f"{target} {path.name} {before[-20:]!r} + {pattern!r}: {short:.2f} s for {size:,} bytes, {long:.2f} s for twice as many"


def problem(case: tuple[str, str, str, str, str]) -> str | None:
    """Time one pattern."""
    target, name, before, pattern, after = case
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return grows(target, Path(folder, name), before, pattern, after)
        except AssertionError as error:
            return f"{target} {name} {before[-20:]!r} + {pattern!r}\n{error}"


def problems(processes: int) -> list[str]:
    """Time every pattern: by processor time, so that several processes do not disturb each other."""
    with multiprocessing.Pool(processes) as pool:
        return [found for found in pool.imap(problem, CASES, chunksize=20) if found]
