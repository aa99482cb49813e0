"""What ontologies and correspondences entail by HermiT, a reasoner of OWL 2, in a process of its own.

HermiT is a Java program; the package ``owlready2`` has it as an archive, and nothing else of that package is used. Axioms go
to it as a file of N-Triples, and it returns the hierarchies of classes and properties. It reads no other file and no network.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os.path import isfile
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.hierarchy import Ontologies, mark_reachable
from goldassay.alignments.model import TYPES
from goldassay.core.errors import InputError, MissingDependencyError, name_file
from goldassay.core.libraries import ox
from goldassay.core.limits import MEMORY, SECONDS
from goldassay.core.patterns import pattern_of
from goldassay.formats import TRIPLES, load, read_triples, recognise
from goldassay.formats.labels import OWL, RDF, RDFS, XSD
from goldassay.formats.records import BadRecords

CLASS, OBJECT, DATA, INDIVIDUAL = (
    TYPES.index(kind) for kind in ("class", "object property", "datatype property", "individual")
)
TYPE, SUB_CLASS = f"{RDF}type", f"{RDFS}subClassOf"
IS_A = {CLASS: SUB_CLASS, OBJECT: f"{RDFS}subPropertyOf", DATA: f"{RDFS}subPropertyOf"}
DECLARED = {CLASS: f"{OWL}Class", OBJECT: f"{OWL}ObjectProperty", DATA: f"{OWL}DatatypeProperty"}
TOP = {CLASS: f"{OWL}Thing", OBJECT: f"{OWL}topObjectProperty", DATA: f"{OWL}topDataProperty"}
BOTTOM = {CLASS: f"{OWL}Nothing", OBJECT: f"{OWL}bottomObjectProperty", DATA: f"{OWL}bottomDataProperty"}
FLAGS = {CLASS: "-c", OBJECT: "-O", DATA: "-D"}
PRINTED = {"Class": CLASS, "ObjectProp": OBJECT, "DataProp": DATA}
AXIOM = pattern_of(r"(Sub|Equivalent)(Class|ObjectProp|DataProp)")
# Of equivalent data properties all but the first are printed as >IRI>.
NAME = pattern_of(r"(ObjectInverseOf\( )?[<>]([^<>]*)>")
ABSOLUTE = pattern_of(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*")
MAIN = "org.semanticweb.HermiT.cli.CommandLine"

IsA: TypeAlias = tuple[int, str, str]
"""What two entities are, a row of ``TYPES``; the IRIs of the lower one and of the upper one."""
Node: TypeAlias = tuple[int, str]


@dataclass(frozen=True)
class Hermit:
    """HermiT on this machine: the program that runs it, and its Java archive."""

    java: str
    archive: Path

    @classmethod
    def find(cls) -> Hermit:
        """Find it; nothing is imported or run."""
        spec = importlib.util.find_spec("owlready2")
        folder = next(iter(spec.submodule_search_locations or ()), None) if spec else None
        if folder is None:
            raise MissingDependencyError(
                "The package 'owlready2' is needed to reason with HermiT, and it is not installed.",
                hint="pip install 'goldassay[reasoner]'",
            )
        java = shutil.which("java")
        if java is None:
            raise MissingDependencyError(
                "Java is needed to reason with HermiT, and there is no program 'java'.",
                hint="apt install openjdk-17-jre-headless    or https://adoptium.net",
            )
        return cls(java, Path(folder, "hermit", "HermiT.jar"))

    @property
    def version(self) -> str:
        """Its name and version, as the archive states them."""
        with zipfile.ZipFile(self.archive) as archive:
            stated = archive.read("META-INF/MANIFEST.MF").decode()
        return f"HermiT {stated.partition('Implementation-Version:')[2].split()[0]}"

    def classify(self, axioms: Iterable[str], kinds: Iterable[int], *, whose: str) -> list[str]:
        """Infer the hierarchies of classes and properties."""
        with tempfile.TemporaryDirectory(prefix="goldassay-") as folder:
            given, result = Path(folder, "axioms.nt"), Path(folder, "hierarchies")
            with given.open("w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in axioms)
            start = (self.java, f"-Xmx{MEMORY.value}m", "-Dfile.encoding=UTF-8", "-cp", str(self.archive), MAIN)
            flags = ("-N", "--ignoreUnsupportedDatatypes", *(FLAGS[kind] for kind in sorted({CLASS, *kinds})))
            try:
                # A timeout and Ctrl-C end the process before they are raised.
                done = subprocess.run(  # noqa: S603 - a command of our own, without a shell
                    (*start, *flags, "-o", str(result), given.as_uri()),
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=SECONDS.value,
                    check=False,
                )
            except subprocess.TimeoutExpired as error:
                raise SECONDS.error(f"HermiT did not finish: {whose}.", found="no result until then") from error
            text = result.read_text(encoding="utf-8") if isfile(result) else ""
        # It ends with 0 even where it could not read the file; where nothing is below anything, it writes an empty line.
        if done.returncode or not text:
            raise self._error(done.stderr.decode(errors="replace"), whose)
        return text.splitlines()

    def _error(self, output: str, whose: str) -> InputError:
        if "OutOfMemoryError" in output or "Could not reserve" in output:
            return MEMORY.error(
                f"HermiT has not enough memory: {whose}.", found=output.strip().partition("\n")[0][:200]
            )
        contradiction = "InconsistentOntologyException" in output
        return InputError(
            f"{'The axioms contradict each other' if contradiction else 'HermiT cannot reason'}: {whose}.",
            found=f"{self.version}: {output.strip().partition(chr(10))[0][:200]}",
            expected="consistent axioms; from others everything follows" if contradiction else "ontologies in OWL 2 DL",
            hint="repair the alignment or the ontologies, or follow is-a individuals: -m semantic",
        )


def iri(name: str, end: str) -> str:
    """Name an entity by an IRI: its own, or else one that distinguishes sources from targets."""
    return name if ABSOLUTE.fullmatch(name) else f"urn:goldassay:{end}:{quote(name, safe='')}"


def ontology_axioms(known: Ontologies) -> Iterator[str]:
    """Write two ontologies as N-Triples, without imports and without texts that are annotations; ``skos:broader`` is is-a."""
    for end, hierarchy in (("source", known.source.of_classes), ("target", known.target.of_classes)):
        for child, parent in zip(hierarchy.children, hierarchy.parents, strict=True):
            yield _line(iri(child, end), SUB_CLASS, iri(parent, end))
    for number, path in enumerate(known.files):
        with name_file(path):
            source = load(path)
            # The edges of a table are all that it has.
            if (name := recognise(source)) in TRIPLES:
                yield from _logical(list(read_triples(source, name, BadRecords())), f"_:f{number}")


def _logical(triples: Sequence[ox.Triple], blank: str) -> Iterator[str]:
    """Write what may matter to a reasoner; blank nodes of one file are not those of another."""
    with_texts = {triple.subject for triple in triples if getattr(triple.object, "value", "") == DECLARED[DATA]}
    for triple in triples:
        predicate = triple.predicate.value
        annotation = triple.predicate not in with_texts and not predicate.startswith((OWL, RDF, XSD))
        header = predicate == f"{OWL}imports" or getattr(triple.object, "value", "") == f"{OWL}Ontology"
        if header or (annotation and isinstance(triple.object, ox.Literal)):
            continue
        ends = (triple.subject, triple.predicate, triple.object)
        yield " ".join(f"{blank}{end.value}" if isinstance(end, ox.BlankNode) else str(end) for end in ends) + " ."


def _line(subject: str, predicate: str, value: str) -> str:
    return " ".join(end if end.startswith("_:") else f"<{end}>" for end in (subject, predicate, value)) + " ."


def find_entailed(
    hermit: Hermit, axioms: Sequence[str], stated: Sequence[IsA], asked: Sequence[IsA], *, whose: str
) -> tuple[NDArray[np.bool_], int]:
    """Return which entities are below which others, by all that is stated."""
    individuals = dict.fromkeys(end for kind, *ends in (*stated, *asked) if kind == INDIVIDUAL for end in ends)
    below, wanted = ([_relate_classes(one) for one in some] for some in (stated, asked))
    nodes = list(dict.fromkeys((kind, end) for kind, *ends in (*below, *wanted) for end in ends))
    lines = hermit.classify(
        (
            *axioms,
            *(_line(end, TYPE, DECLARED[kind]) for kind, end in nodes),
            *(line for number, end in enumerate(individuals) for line in _singleton(end, f"_:o{number}")),
            *(_line(low, IS_A[kind], high) for kind, low, high in below),
        ),
        {kind for kind, _ in nodes},
        whose=whose,
    )
    inferred = list(_parse_output(lines))
    links = [
        link for equivalent, matched in inferred for link in pairwise([*matched, matched[0]] if equivalent else matched)
    ]
    links += [link for node in nodes for link in ((node, (node[0], TOP[node[0]])), ((node[0], BOTTOM[node[0]]), node))]
    numbers: dict[Node, int] = {}
    edges = np.array([[numbers.setdefault(node, len(numbers)) for node in link] for link in links], dtype=np.int64)
    lower, upper = (
        np.array([[numbers[kind, end] for end in ends] for kind, *ends in wanted], dtype=np.int64).reshape(-1, 2).T
    )
    found = mark_reachable(edges.reshape(-1, 2), len(numbers), lower, upper)
    return found, sum(len(matched) - 1 for _, matched in inferred if (CLASS, BOTTOM[CLASS]) in matched)


def _relate_classes(one: IsA) -> IsA:
    """Convert the equality of individuals to is-a between the classes that have only one of them."""
    kind, low, high = one
    return (CLASS, _class_of(low), _class_of(high)) if kind == INDIVIDUAL else one


def _class_of(individual: str) -> str:
    return f"urn:goldassay:only:{quote(individual, safe='')}"


def _singleton(individual: str, blank: str) -> Iterator[str]:
    """Define the class of a single individual."""
    yield _line(individual, TYPE, f"{OWL}NamedIndividual")
    yield _line(_class_of(individual), f"{OWL}equivalentClass", blank)
    yield _line(blank, TYPE, f"{OWL}Class")
    yield _line(blank, f"{OWL}oneOf", f"{blank}l")
    yield _line(f"{blank}l", f"{RDF}first", individual)
    yield _line(f"{blank}l", f"{RDF}rest", f"{RDF}nil")


def _parse_output(lines: Iterable[str]) -> Iterator[tuple[bool, list[Node]]]:
    """Read what HermiT prints: whether some entities are equivalent, or the first is below the second; and which."""
    for line in lines:
        if match := AXIOM.match(line):
            kind = PRINTED[match[2]]
            yield match[1] == "Equivalent", [(kind, "".join(name)) for name in NAME.findall(line)]
