"""What the columns of tables are called, in every family, and how a name is compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular

WORDS = pattern_of(r"[^\W_]+")
ASCII = {code: chr(code).lower() if chr(code).isalnum() else None for code in range(128)}
PERHAPS = "perhaps"
"""The role of a column that names relations only if its cells do, and then takes the place of the relation."""
SURE_RUNGS = 2
"""How many columns of levels have a name that is sure; with another one they are levels."""
LONGEST, WIDEST = 200, 20
"""Characters of the longest name that a column is known by, and the most columns that a message lists."""
OF_NAMES = ("", "name", "label", "text", "term", "entity", "node", "concept")
OF_IDS = ("id", "iri", "uri", "curie", "identifier")
ROW_IDS = pattern_of(
    r"(.*:(start_id|end_id)(\([^()]*\))?|~from|~to|_start|_end|(id|elementid)\(\w+\)|\w+\.(id|uid|identity))",
    re.IGNORECASE,
)
"""Columns that tools for property graphs fill with the numbers of nodes."""
CYPHER = pattern_of(r"(type)\(\w+\)|\w+\.(type)|(start|end)node\(\w+\)\.\w+", re.IGNORECASE)
MARKED = frozenset(":~_(.")
"""Every column of row ids, and every one of Cypher, has one of these in its name."""
CYPHER_NAME = pattern_of(r"\w+\.(name|title|label|text)", re.IGNORECASE)
"""How Cypher calls the columns of a query for relationships."""
HEADLIKE = pattern_of(r"|.+_(id|name|label|iri|uri|text|type)", re.IGNORECASE)
"""What a column without a known name may be called, but hardly a thing."""
NAMELESS = pattern_of(r"(column_?|_c|f|v|x|unnamed:?_?)?\d+", re.IGNORECASE)
"""What libraries call the columns of a table without names."""
LEVEL = pattern_of(r"(?:[a-z]*level|lvl|l|tier|layer|depth)(\d{1,3})(?:name|label|term)?")
"""What the column of a level is called, from the root down, as `bare` writes it."""
SUB, MAIN = "sub", pattern_of(r"^(?:main|top(?!ic)|primary|parent)")
"""What the name of a level begins with, and that of the one above it."""
MARK_OF_LEVEL = "level "
"""What the role of such a column begins with."""
MARK_OF_ANCESTOR = "ancestor "
"""What the role of such a column begins with where a row goes from a node up, so that the upper cells may be empty."""
NUMBER = pattern_of(r"[+-]?(\d++\.?\d*|\.\d+)([eE][+-]?\d+)?")
DATA = pattern_of(rf"<?[A-Za-z][\w+.-]*:(//\S+|[^\W\d]*+\d\S*)|{NUMBER.pattern}")
"""An IRI, a CURIE with a number, or a number: no name of a column."""


@lru_cache(maxsize=2**15)
def bare(name: str) -> str:
    """Reduce the name of a column to its letters and digits, without case: the one normalisation of all families."""
    if name.isascii():
        return name.translate(ASCII)
    return "".join(WORDS.findall(unicodedata.normalize("NFKC", name).casefold()))


def decisions_in(names: Sequence[str], taken: Iterable[int], *, stated: bool = True) -> dict[str, int]:
    """Return the places of the columns of decisions among those that are not read, and of those that say why an answer ends; only of these if rows state nothing."""
    rest = set(range(len(names))).difference(taken)
    known = JUDGING | ENDINGS if stated else ENDINGS
    return {names[at]: at for at in sorted(rest) if bare(names[at]) in known}


class Words(NamedTuple):
    """Names of a column that are equally good.

    Attributes:
        names: The names, as `bare` writes them.
        ids: Whether they announce ids.
        vague: Whether they do not say which end of an edge is meant.
        weak: Whether they are names of things as well, so that a first row with one of them may be data.
    """

    names: frozenset[str]
    ids: bool = False
    vague: bool = False
    weak: bool = False


def words(text: str, *, vague: bool = False, weak: bool = False, forms: Iterable[str] = ("",)) -> Words:
    """List names that are equally good."""
    found = {
        form.format(word) if "{}" in form else f"{word}{form}"
        for word in text.split()
        for form in forms
        if len(word) > 1 or not form
    }
    return Words(frozenset(found), ids=forms is OF_IDS, vague=vague, weak=weak)


def tiers(text: str, forms: Iterable[str] = ("",)) -> tuple[Words, ...]:
    """List names of a role, the better ones before a bar; behind a question mark are those that are names of things as well."""
    parts = map(str.strip, text.split("|"))
    return tuple(words(part.removeprefix("?"), weak=part.startswith("?"), forms=forms) for part in parts)


def ends(text: str, *, vague: Collection[int] = ()) -> tuple[Words, ...]:
    """List the names of an end of an edge: first those of names, then those of ids."""
    every = (*tiers(text, OF_NAMES), *tiers(text, OF_IDS))
    return tuple(one._replace(vague=at % (len(every) // 2) in vague) for at, one in enumerate(every))


DECISIONS = words(
    "answer response output result prediction predicted predictedlabel pred label class decision verdict "
    "judgment judgement match matched ismatch ismatched matches equivalent isequivalent correct iscorrect "
    "right valid isvalid holds positive ispositive true istrue truth groundtruth accept accepted isaccepted "
    "approved relevant isrelevant entailed entailment ishypernym hypernymy issubclass issubclassof isa ischild "
    "isparent isrelated isedge exists status verdict supported issupported"
).names
"""What a column is called that says whether a row holds."""
NEGATIONS = words(
    "negated isnegated negation negative isnegative negate reject rejected wrong iswrong incorrect deleted isdeleted obsolete isobsolete deprecated isdeprecated"
).names
"""What a column is called that says whether a row does not hold."""
ANSWERED = (
    "target", "tgt", "parent", "hypernym", "broader", "object", "concept", "label", "class", "category", "entity", "term", "answer",
    "output", "response", "prediction", "match", "mapping",
)  # fmt: skip
OF_SYSTEMS = ("predicted{}", "pred{}", "{}pred", "{}prediction", "llm{}", "model{}", "system{}", "best{}", "top{}")
PREDICTIONS = frozenset(form.format(word) for form in OF_SYSTEMS for word in ANSWERED) | {
    "prediction", "predicted", "pred", "output", "answer", "response", "result", "completion", "system", "match", "mapped", "mappedto",
}  # fmt: skip
"""What a column is called that has what a system predicted, next to what is right."""
JUDGING = DECISIONS | NEGATIONS | PREDICTIONS
SPLITS = words("train training dev development valid validation val test testing eval evaluation heldout").names
"""What the parts of a data set are called."""
ENDINGS = words("finishreason stopreason donereason").names
"""What services call the reason why an answer ends."""
ASKING = frozenset(name for name in JUDGING if name.startswith("is") and name != "isa")
"""Those that nothing else is called."""


class RoleColumns(NamedTuple):
    """The columns that have the best names of a role."""

    words: Words
    columns: list[int]


@dataclass(frozen=True)
class FirstRow:
    """The first row of a table."""

    names: list[str]
    count: Callable[[], int]
    always: bool = field(kw_only=True)

    @property
    def line(self) -> int | None:
        """The line of the names in messages: of a format that always has some it is none."""
        return None if self.always else 1

    @cached_property
    def width(self) -> int:
        """How many cells a row has."""
        return max(self.count(), len(self.names) if self.always else len(self.stated))

    @property
    def stated(self) -> list[str]:
        """The cells up to the last that is not empty: separators at the end of a row begin no cell."""
        return self.names[: max((at for at, name in enumerate(self.names, start=1) if name), default=0)]

    @property
    def of_queries(self) -> list[int]:
        """The columns that are called like a variable of Cypher and its name."""
        return [at for at, name in enumerate(self.names) if CYPHER_NAME.fullmatch(name)]

    @property
    def nameless(self) -> bool:
        """Whether a library named the columns."""
        return all(NAMELESS.fullmatch(name) for name in self.names)

    def heads(self, cells: Sequence[str]) -> bool:
        """Return whether one of some cells is the name of a column, known or not; pandas writes numbers from 0 where there are none."""
        known = any(
            (form := canonical_name(name)) in HEADERS or form in ASKING or HEADLIKE.fullmatch(name) for name in cells
        )
        ids = any(map(ROW_IDS.fullmatch, cells))
        return known or ids or bool(self.of_queries) or self.stated == list(map(str, range(len(self.stated))))


GENERAL = frozenset({"name", "label", "title", "text"})
"""What columns are called that may say more of any other."""


def opposites_in(names: Sequence[str], pair: tuple[str, ...]) -> dict[str, RoleColumns]:
    """Return the only two columns whose names are the same but for what is below and what is above: child class, parent class; or skill, parent skill."""
    places = {bare(name): at for at, name in enumerate(names)}
    found = [
        (name, other)
        for name in places
        for low, high in OPPOSITES
        if low in name and (other := name.replace(low, high, 1)) != name and other in places
    ]
    # What is above may be called by what it is: skill, parent skill.
    plain = (name for name in places if len(name) > 1 and name not in GENERAL | NODE_IDS and not name.endswith(OF_IDS))
    highs = {high for _, high in OPPOSITES}
    found += [
        (name, other) for name in plain for high in highs for other in (high + name, name + high) if other in places
    ]
    found = [ends for ends in found if not ends[0].endswith(OF_IDS)] or found
    if len(found) != 1:
        return {}
    return {
        role: RoleColumns(Words(frozenset({name}), ids=name.endswith(OF_IDS)), [places[name]])
        for role, name in zip(pair, found[0], strict=True)
    }


def name_in(names: Sequence[str]) -> str | None:
    """Return which of some keys of nodes is called as a column of their names is; None if none or several are."""
    found = find_best(NAMES["nodes"]["text"], forms_of(tuple(names)))
    return names[found.columns[0]] if found and len(found.columns) == 1 else None


def canonical_name(name: str) -> str:
    """Write a name as the table of names has it; columns of row ids have none, nor what is too long for a name."""
    if len(name) > LONGEST:
        return ""
    if MARKED.isdisjoint(name):
        return bare(name)
    if ROW_IDS.fullmatch(name.strip()):
        return ""
    query = CYPHER.fullmatch(name.strip())
    return next(filter(None, query.groups())).lower() if query else bare(name)


@lru_cache(maxsize=64)
def forms_of(names: tuple[str, ...]) -> list[list[set[str]]]:
    """Write names as the table of names has them and as singulars; and without numbers, as in "Threshold 0.9", for where there is none else."""
    known = [canonical_name(name) for name in names]
    bare_of_numbers = [name if name.isalpha() else "".join(filter(str.isalpha, name)) for name in known]
    levels = [known] if bare_of_numbers == known else [known, bare_of_numbers]
    return [[{name, singular(name)} for name in level] for level in levels]


def find_best(tiers: Sequence[Words], forms: Sequence[Sequence[set[str]]]) -> RoleColumns | None:
    """Find the columns with the best names."""
    for level in forms:
        every = set().union(*level)
        for words in tiers:
            if not words.names.isdisjoint(every):
                return RoleColumns(words, [at for at, some in enumerate(level) if not words.names.isdisjoint(some)])
    return None


RELATION = "predicate relation relationship relationtype property rel edge"
PARENTS = "parent hypernym broader superclass supertype supercategory superterm"
STARTS, STOPS = "source src from head start", "target tgt dst dest destination to tail end"
OPPOSITES = tuple(
    zip(
        ["child", "hyponym", "narrower", "descendant", "specific", "sub", "unter"],
        ["parent", "hypernym", "broader", "ancestor", "general", "super", "ober"],
        strict=True,
    )
)
"""What names of columns have in them that are else the same: what is below, and what is above."""
RELATIONS = words(RELATION, forms=OF_NAMES).names
THINGS = "class concept term category taxon tax topic entity item node subject synset resource object"
CODES = (*OF_IDS, "code", "key", "number", "notation")
INDEX = "index without name"
"""What a first column of texts without a name is called: ids, where there are no others."""
OF_INDEX = bare(INDEX)
ANY = (*OF_NAMES, *OF_IDS)
OF_THINGS = ("name", "label", "term", "concept", "class", "node")
SIDED = "entity term concept class node uri iri label"
KINDS_OF_AXIOMS = "kind propertytype axiomtype"
PREDICTED = ("predicted{}", "pred{}", "{}pred", "{}prediction")
TRUE = ("gold{}", "true{}", "actual{}", "reference{}")
KINDS = "label class category type concept code"
LABELS_OF_PRED = Words(words(KINDS, forms=PREDICTED).names | words("prediction predicted pred ypred yhat").names)
LABELS_OF_GOLD = Words(words(KINDS, forms=TRUE).names | words("gold ytrue truth groundtruth").names)
ANSWERS = words(
    "answer prediction output response summary reference hypothesis generated generatedtext generation completion"
)
"""What a column is called that holds an answer; next to it a text is what was asked."""
DESCRIBING = words("description")
GIVEN, ONE = "concepts entities terms keywords keyphrases", "concept entity term keyword keyphrase"
OF_PRED = Words(
    words(ONE, forms=PREDICTED).names | words("prediction predicted pred output response generated completion").names
)
OF_GOLD = Words(words(ONE, forms=TRUE).names | words("concept keyword keyphrase").names | words(GIVEN).names)
PAIRED = {
    "pred": tiers("pred prediction predicted predictedterm predterm predaxiom threshold system"),
    "gold": tiers("gold goldterm goldaxiom reference goldstandard"),
}
LABELLED = (
    *tiers("label prediction predicted"),
    LABELS_OF_PRED,
    *tiers("?type | class category concept node goid go code | term | subject | ?accept choice labelresponses"),
    LABELS_OF_GOLD,
)
NAMES: Mapping[str, Mapping[str, tuple[Words, ...]]] = {
    "edges": {
        "source": (
            *ends(
                f"child hyponym narrower subclass subtype subcategory subterm | sub subject subj s | {STARTS} h",
                vague=(2,),
            ),
            words("term concept item entity node instance", vague=True, weak=True),
        ),
        "target": (
            *ends(f"{PARENTS} | super object obj o | {STOPS} t", vague=(2,)),
            words("category class group kind", vague=True, weak=True),
        ),
        "relation": (words(f"{RELATION} r p", forms=OF_NAMES), words("type"), words(RELATION, forms=OF_IDS)),
        PERHAPS: tiers("?interaction | ?label | ?key | ?name"),
    },
    "nodes": {
        "node": (
            *tiers("id identifier code uid uuid curie iri uri key notation"),
            words(THINGS, forms=CODES),
            *ends("node", vague=(0,)),
        ),
        "text": (
            *tiers(
                "name | label | preflabel preferredlabel preferredname preferredterm prefname prefterm | displayname displaylabel title",
                OF_NAMES,
            ),
            words(THINGS, forms=("name", "label", "title", "text", "term")),
            words("name label preflabel preferredlabel title term", forms=("en", "english")),
            *tiers("scientificname canonicalname commonname englishname englishlabel | term text"),
            words("concept category class topic word taxon entity node item", forms=OF_NAMES),
            DESCRIBING,
        ),
        "target": (
            *ends(PARENTS),
            words(PARENTS, forms=CODES),
            words("parent", forms=[f"{thing}{code}" for thing in f"{THINGS} nameusage".split() for code in CODES]),
            words("parent", forms=THINGS.split()),
            words("subclassof subtypeof isa typeof kindof"),
        ),
    },
    "triples": {
        "id": tiers(f"id docid doc documentid document eid exampleid sentid chunkid | graph | {OF_INDEX}"),
        "subject": ends(f"subject subj sub s | head h | {STARTS.replace('head ', '')} node1 entity1 e1 arg1"),
        "predicate": (
            *tiers("predicate pred p | relation rel r relationship relationtype property edge", OF_NAMES),
            *tiers("label | type"),
            words(f"{RELATION} pred", forms=OF_IDS),
        ),
        "object": ends(f"object obj o | tail t | {STOPS.replace('tail ', '')} node2 entity2 e2 arg2"),
        "weight": tiers("weight"),
    },
    "axioms": {
        "class": tiers("class classes | subject domain", ANY),
        "property": (*tiers("property predicate relation relationship", ANY), *tiers("?name label")),
        "object": tiers("object range filler | target", ANY),
        "kind": tiers(f"{KINDS_OF_AXIOMS} | type"),
    },
    "equivalences": PAIRED,
    "matches": {**PAIRED, "score": tiers("score credit sim similarity")},
    "correspondences": {
        "source": (
            *tiers("source src srcentity sourceentity"),
            words("source src", forms=OF_IDS),
            *tiers("subject subjectid | entity1 | head | left | from"),
            words("source src", forms=OF_THINGS),
            words(SIDED, forms=("{}1", "{}a", "ontology1{}")),
        ),
        "target": (
            *tiers("target tgt dst tgtentity targetentity dstentity"),
            words("target tgt dst mapped", forms=OF_IDS),
            *tiers("object objectid | entity2 | tail | right | to"),
            words("target tgt dst", forms=OF_THINGS),
            words(SIDED, forms=("{}2", "{}b", "ontology2{}")),
        ),
        "relation": tiers("relation | predicate predicateid | rel"),
        "score": tiers("score | confidence | measure | similarity sim | weight | normalizedscore | probability"),
        "candidates": tiers("tgtcandidates targetcandidates candidates targetcands"),
        "candidate_scores": tiers("scorecands candidatescores"),
    },
    "sssom": {
        "source": tiers("subjectid"),
        "target": tiers("objectid"),
        "relation": tiers("predicateid"),
        "score": tiers("confidence"),
        "modifier": tiers("predicatemodifier"),
        "justification": tiers("mappingjustification"),
        "source_type": tiers("subjecttype"),
        "target_type": tiers("objecttype"),
    },
    "labels": {
        "instance": tiers(
            "instance instanceid | id docid documentid proteinid entryid itemid sampleid recordid productid termid imageid filename"
            f"| document doc protein item sample record key query target | ?product | text | ?term entity mention name | {OF_INDEX}"
        ),
        "label": LABELLED,
        "score": tiers("score scores | confidence probability prob similarity | weight"),
    },
    "contents": {
        "label": LABELLED,
        "content": tiers("ic ia informationcontent informationaccretion | weight weights value"),
    },
    "sentences": {"text": (ANSWERS, *tiers("text | sentence")), "id": tiers(f"id | {OF_INDEX}")},
    "documents": {
        "id": tiers(f"id | docid documentid doc qid questionid answerid encounterid exampleid noteid | {OF_INDEX}"),
        "text": (ANSWERS, *tiers("text | note sentence")),
        "tree": tiers("tree | trees argumenttree arguments outline"),
        "concepts": (
            *tiers("concepts | concept annotations ents spans entities terms keywords keyphrases"),
            *(words(GIVEN, weak=True, forms=forms) for forms in (PREDICTED, TRUE)),
            *tiers("?keyword keyphrase tags extracted keyconcepts keyterms"),
            words(GIVEN, weak=True, forms=("extracted{}",)),
        ),
    },
    "concepts": {
        "document": tiers("id | docid documentid doc document qid questionid question answerid noteid note"),
        "concept": tiers("concept | concepts entities entity terms term keywords keyword keyphrases keyphrase"),
    },
    "dictionary": {
        "id": tiers("id conceptid | cui curie | code"),
        "name": tiers("name | preferredname preflabel | label | term | concept"),
        "synonyms": tiers("synonyms synonym altlabels altlabel aliases alternativenames"),
        "type": tiers("semantictype semantictypes | tui tuis | type types | semanticgroup"),
    },
    "manifest": {name: tiers(name) for name in ("case", "pred", "gold", "system")},
}
"""What the columns of each kind of table are called, by their roles, the better names first."""
NODE_IDS = (
    frozenset[str]().union(*(names.names for names in NAMES["nodes"]["node"])) - words("node", forms=OF_NAMES).names
)
"""Names of columns of ids: what is compared by them has no names."""
HEADERS = frozenset(
    name
    for kind in NAMES.keys() - {"nodes", "concepts", "manifest"}
    for some in NAMES[kind].values()
    for words in some
    if not words.weak
    for name in words.names
    if len(name) > 1
) | {"names", "index", "value", "count", "weight"}
"""Names of columns of any family: a first row with one of them is no data."""
NUMBERS = words(
    "weight score confidence probability count frequency level depth rank order position size index row type kind date"
).names
"""Names of columns that are hardly names of nodes, and no loss if they are not read."""
TEXTS = words(
    "text title description sentence content comment prompt question input instruction query message context",
    forms=("{}",),
).names
"""Names of columns with texts of items, which are proposed last."""
OF_TOP, OF_LEAVES = "domain area field", "item instance term entity example product producttype concept name"
RANKS = """domain superkingdom kingdom subkingdom phylum subphylum superclass class subclass order suborder
superfamily family subfamily tribe genus subgenus species subspecies"""
Ladder: TypeAlias = "tuple[str, tuple[frozenset[str], ...], frozenset[str]]"


def _ladder(mark: str, rungs: Iterable[str], sure: str) -> Ladder:
    """Describe columns of levels: what their roles begin with, what each is called from the root down, and the names of which two are needed."""
    return mark, tuple(frozenset(rung.split()) for rung in rungs), frozenset(sure.split())


def _categories(thing: str) -> Ladder:
    """Describe the levels of things whose parts are called sub-things."""
    own = [f"{thing} main{thing} top{thing}", f"sub{thing}", f"subsub{thing}", f"subsubsub{thing}"]
    around = [" ".join(word for word in words.split() if word != thing) for words in (OF_TOP, OF_LEAVES)]
    return _ladder(MARK_OF_LEVEL, [around[0], *own, around[1]], " ".join(own))


THEMES = "category class topic type group term concept domain field area theme section"
LADDERS = (
    *map(_categories, THEMES.split()),
    _ladder(MARK_OF_LEVEL, RANKS.split(), "kingdom phylum order family genus species"),
    _ladder(MARK_OF_LEVEL, ["sector", "industrygroup", "industry", "subindustry"], "sector industrygroup industry"),
    _ladder(
        MARK_OF_ANCESTOR,
        (
            "greatgrandparent",
            "grandparent parentofparent grandhypernym",
            "parent hypernym superclass",
            "child hyponym subclass term concept node entity item name",
        ),
        "greatgrandparent grandparent parentofparent grandhypernym parent hypernym superclass",
    ),
)
"""What the columns of levels are called by words."""


OTHERS = frozenset[str]().union(
    *(words.names for tiers in NAMES["nodes"].values() for words in tiers),
    *(rung for _, rungs, _ in LADDERS for rung in rungs),
)
"""Names of columns of nodes and of levels."""
OTHERWISE = pattern_of("|".join([*chain(*OPPOSITES), rf"^{LEVEL.pattern}$"]))
"""What else a column of edges has in its name: a word for what is below or above, or the number of a level."""


def ladder_in(names: Sequence[str]) -> dict[str, int]:
    """Return the places of three or more columns of levels that words name, from the root down; else none."""
    forms = [{bare(name), singular(bare(name))} for name in names]
    every = frozenset[str]().union(*forms)
    for mark, rungs, sure in LADDERS:
        if len(sure & every) < SURE_RUNGS:
            continue
        columns = [[at for at, form in enumerate(forms) if form & rung] for rung in rungs]
        found = [at for at, *_ in filter(None, columns)]
        if len(found) > SURE_RUNGS and all(len(some) <= 1 for some in columns):
            return {f"{mark}{level}": at for level, at in enumerate(found, start=1)}
    return {}


def others_in(names: Sequence[str]) -> dict[str, int]:
    """Return the places of levels, or of nodes."""
    levels, nodes = levels_in(names), nodes_in(names)
    return levels or ("text" in nodes and nodes) or ladder_in(names) or nodes


def levels_in(names: Sequence[str]) -> dict[str, int]:
    """Return the places of columns of levels, from the root down; none of a single level."""
    found = {int(level[1]): at for at, name in enumerate(names) if (level := LEVEL.fullmatch(bare(name)))}
    return {f"{MARK_OF_LEVEL}{level}": found[level] for level in sorted(found)} if len(found) > 1 else {}


def levels_of_label(names: Sequence[str]) -> dict[str, int]:
    """Return the places of the levels of a label, from the root down: numbered, named by words, or a name and the same below it, such as a category and its subcategory."""
    if found := levels_in(names) or ladder_in(names):
        return found
    places: dict[str, list[int]] = {}
    for at, name in enumerate(map(bare, names)):
        places.setdefault(name, []).append(at)
    for at, name in enumerate(map(bare, names)):
        if len(below := places.get(SUB + MAIN.sub("", name), ())) == 1:
            return {f"{MARK_OF_LEVEL}{level}": place for level, place in enumerate([at, *below], start=1)}
    return {}


def nodes_in(names: Sequence[str]) -> dict[str, int]:
    """Return the places of a node, perhaps its name, and its parent; none without a parent."""
    forms = forms_of(tuple(names))
    best = {role: one for role, tiers in NAMES["nodes"].items() if (one := find_best(tiers, forms))}
    found = {role: one.columns for role, one in best.items()}
    # A description is the text of a node that has an id, and no node.
    described = "node" not in best and "text" in best and best["text"].words is DESCRIBING
    if found.get("text") == found.get("node") or described:
        found.pop("text", None)
    if "node" not in found and "text" in found:
        found = {"node": found.pop("text"), **found}
    if len(found.get("node", ())) > 1 and "target" in found:
        # Of several ids the parent says which are meant: parent_code is a code.
        above = bare(names[found["target"][0]])
        found["node"] = [at for at in found["node"] if above.endswith(bare(names[at]))] or found["node"]
    if not {"node", "target"} <= found.keys() or any(len(columns) > 1 for columns in found.values()):
        return {}
    return {role: found[role][0] for role in ("node", "text", "target") if role in found}
