"""A value of each option of each command, files on which it has an effect, and what it needs to have one."""

import random
from typing import NamedTuple


class Sample(NamedTuple):
    """How an option is tried.

    Attributes:
        words: The option as it is written on the command line.
        needs: Other options and arguments that it needs, by name: a list of files for `preds` and `gold`, else words.
        option: The name of the option, if a command has several samples of it.
    """

    words: tuple[str, ...]
    needs: dict
    option: str


class Case(NamedTuple):
    """A command, its files, its usual arguments, and samples of its options.

    Attributes:
        command: The words of the command.
        files: The text of each file.
        usual: The arguments that is there unless an option needs others.
        samples: The samples by name.
        gate: The name of the sample of a gate that is never reached; empty for a command without gates.
        small: Whether the files of some samples are too small to show everything.
    """

    command: tuple[str, ...]
    files: dict
    usual: dict
    samples: dict
    gate: str = "fail_under"
    small: bool = True


def sample(*words, option="", **needs):
    """Make a sample."""
    return Sample(words, needs, option)


def table(seed, *columns, rows=16, **first):
    """Write a table of any values, so that each of its columns matters; some of its first row can be named."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    values = {name: some for each in columns for name, some in each.items()}
    cells = [{name: draw.choice(some) for name, some in values.items()} for _ in range(rows)]
    cells[0] |= first
    return "\n".join(map(",".join, [values, *(row.values() for row in cells), []]))


CI = {"ci": ("--ci", "--resamples", "100")}
CHANCE = {"chance": ("--chance", "--draws", "8")}
PLACES = ("preds", "gold")
"""The needs of a sample that are files."""
LAYOUTS = {
    f"layout_{name}": sample("--format", name, option="layout")
    for name in ("json", "csv", "markdown", "latex", "github")
}


def common(suffix, **own):
    """List the samples of the options of all families, with those of one; None for an option that it does not have."""
    gold, second = f"gold.{suffix}", f"gold2.{suffix}"
    usual = {
        "runs": sample("--runs", "a=run?.*", preds=[]),
        "gold": sample("--gold", second),
        "combine": sample("--combine", "intersection", gold=[gold, second]),
        "judged": sample("--judged", f"judged.{suffix}"),
        "ignore": sample("--ignore", f"ignored.{suffix}"),
        "scope": sample("--scope", "scope.txt"),
        "completeness": sample("--completeness", "source"),
        "engine": sample("--engine", "duckdb"),
        "spark_remote": sample("--spark-remote", "sc://localhost"),
        "spark_vectors": sample("--spark-vectors", "vectors"),
        "on_error": sample("--on-error", "skip", preds=[f"pred.{suffix}", f"bad.{suffix}"]),
        **LAYOUTS,
        "output": sample("--output", "out.txt"),
        "explain": sample("--explain", "out.tsv"),
        "evidence": sample("--evidence", layout=("--format", "json")),
        "report": sample("--report", "out.html"),
        "figure": sample("--figure", "out.svg"),
        "pivot": sample("--pivot"),
        "misses": sample("--misses", "2"),
        "hubs": sample("--hubs", "2"),
        "places": sample("--places", "2"),
        "percent": sample("--percent"),
        "quiet": sample("--quiet", output=("--output", "out.txt")),
        "verbose": sample("--verbose"),
        "formulas": sample("--formulas", explain=("--explain", "out.csv"), preds=[f"pred.{suffix}"], gold=[gold]),
        "ci": sample("--ci"),
        "level": sample("--level", "0.5", **CI),
        "resamples": sample("--resamples", "150", ci=("--ci",)),
        "ci_unit": sample("--ci-unit", "subject", **CI),
        "ci_method": sample("--ci-method", "percentile", **CI),
        "seed": sample("--seed", "3", **CI),
        "against": sample("--against", "best", preds=[f"worst.{suffix}", f"pred.{suffix}"], **CI),
        "chance": sample(*CHANCE["chance"]),
        "draws": sample("--draws", "7", chance=("--chance",)),
        "baseline": sample("--baseline", "earlier.json"),
        "max_drop": sample("--max-drop", "0.99", baseline=("--baseline", "earlier.json")),
        **own,
    }
    return {name: one for name, one in usual.items() if one is not None}


FUZZY = {"measure": ["-m", "nodes(threshold=0.3)"], "encoder": ("--encoder", "hashing")}
WIDE = {"preds": ["wide.csv"], "gold": ["widegold.csv"]}
RDF = {"preds": ["pred.nt"], "gold": ["gold.nt"]}
OF_RDF = """\
<http://x/cat> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x/animal> .
<http://x/dog> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x/animal> .
<http://x/old> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x/animal> .
<http://x/old> <http://www.w3.org/2002/07/owl#deprecated> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .
<http://x/single> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .
<http://x/cat> <http://www.w3.org/2004/02/skos/core#related> <http://x/dog> .
<http://x/cat> <http://www.w3.org/2000/01/rdf-schema#label> "a cat"@en .
<http://x/cat> <http://www.w3.org/2000/01/rdf-schema#label> "eine Katze"@de .
_:b <http://www.w3.org/2004/02/skos/core#related> <http://x/cat> .
"""
TAXONOMY = Case(
    ("taxonomy",),
    {
        "gold.csv": "child,parent\n=A1,animal\ncat,animal\ndog,animal\nfish,animal\nanimal,thing\n",
        "gold2.csv": "child,parent\n=A1,animal\ncat,animal\ndog,pet\nfish,animal\n",
        "pred.csv": "child,parent\n=A1,animal\ncat,animal\ndog,pet\nfish,thing\ncat,animal\nbird,animal\n",
        "other.csv": "child,parent\n=A1,animal\ncat,animal\ndog,pet\ncow,pet\n",
        "ignored.csv": "child,parent\ndog,pet\n",
        "bad.csv": "child,parent\ncat,animal\n,\ndog\n",
        "run1.csv": "child,parent\n=A1,animal\n",
        "run2.csv": "child,parent\n=A1,animal\ncat,animal\ndog,animal\n",
        "arrows.txt": "cat -> animal\ncat -> pet\ndog -> animal\n",
        "wide.csv": "child,parent,relation,kid,mum,link\ncat,animal,is_a,hen,beast,is_a\ndog,pet,is_a,ox,beast,has\n=A1,animal,is_a,=A1,animal,is_a\nbat,animal,is_a,bat,animal,is_a\n",
        "widegold.csv": "child,parent,relation,kid,mum,link\ncat,animal,is_a,cow,bull,is_a\ndog,animal,is_a,ox,bull,is_a\n=A1,animal,is_a,=A1,animal,is_a\nfox,animal,is_a,fox,animal,is_a\n",
        "taxo.tsv": "1\tcat\tanimal\n2\tdog\tpet\n3\tbat\tanimal\n4\tcow\tanimal\n",
        "taxogold.tsv": "1\tcat\tanimal\n2\tdog\tanimal\n3\tfox\tanimal\n4\tyak\tanimal\n",
        "gold.nt": OF_RDF,
        "pred.nt": OF_RDF.replace("http://x/dog", "http://x/wolf").replace('"a cat"', '"the cat"'),
        "worst.csv": "child,parent\n=A1,animal\nant,bee\nbee,cat\n",
        "judged.csv": "child,parent\ncow,pet\nfish,thing\n",
        "synonyms.csv": "pet,animal\n",
        "scope.txt": "=A1\ncat\ndog\npet\nanimal\nfish\nthing\n",
    },
    {"preds": ["pred.csv"], "gold": ["gold.csv"], "measure": ["-m", "literal"]},
    common(
        "csv",
        measure=sample("-m", "fuzzy(threshold=0.3)", encoder=("--encoder", "hashing")),
        as_=sample("--as", "notebook", measure=[]),
        sweep=sample("--sweep", **FUZZY),
        by=sample("--by", "depth"),
        synonyms=sample("--synonyms", "synonyms.csv"),
        edges=sample("--edges", "all", **RDF),
        text=sample("--text", "iri", **RDF),
        nodes=sample(
            "--nodes",
            "linked",
            measure=["-m", "nodes(threshold=0.3)", "-m", "literal"],
            encoder=FUZZY["encoder"],
            **RDF,
        ),
        obsolete=sample("--obsolete", "keep", **RDF),
        blank_nodes=sample("--blank-nodes", "keep", edges=("--edges", "all"), **RDF),
        language=sample("--language", "de", **RDF),
        child_column=sample("--child-column", "kid", explain=("--explain", "out.tsv"), **WIDE),
        parent_column=sample("--parent-column", "mum", explain=("--explain", "out.tsv"), **WIDE),
        relation_column=sample("--relation-column", "link", by=("--by", "relation"), **WIDE),
        arrows=sample("--arrows", "parent-child", preds=["arrows.txt"]),
        header=sample("--header", "no", preds=["pred.csv"], gold=["gold.csv"]),
        input_format=sample("--input-format", "taxo", preds=["taxo.tsv"], gold=["taxogold.tsv"]),
        encoder=sample("--encoder", "hashing"),
        null=sample("--null", "random-edges", draws=("--draws", "8")),
        fail_under=sample("--fail-under", "f1=0.999"),
    ),
    small=False,
)


def owl(axioms, *, german="d", base="x"):
    """Write an ontology of superclasses, with labels in two languages."""
    lines = []
    for name, above in axioms:
        iri = f"<http://{base if name == 'Play' else 'x'}/{name}>"
        lines += [
            f"{iri} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .",
            f"{iri} <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x/{above}> .",
            f'{iri} <http://www.w3.org/2000/01/rdf-schema#label> "{name.lower()}"@en .',
            f'{iri} <http://www.w3.org/2000/01/rdf-schema#label> "{german if name == "Ode" else "d"}{name.lower()}"@de .',
        ]
    return "\n".join([*lines, ""])


RDF_AXIOMS = {"preds": ["pred.nt"], "gold": ["gold.nt"]}
OF_AXIOMS = {"class": ("Book", "Novel"), "property": ("has", "title"), "object": ("Text", "Writer")}
OF_AXIOMS |= {"kind": ("object", "datatype"), "a": ("Book", "Novel", "Ode"), "b": ("has", "title", "cites")}
OF_AXIOMS |= {"c": ("Text", "Writer", "Poem"), "d": ("object", "object", "object", "datatype")}
AXIOMS = Case(
    ("axioms",),
    {
        "gold.csv": "class,property,object,kind\n=A1,title,Title,datatype\nBook,title,Title,datatype\nBook,author,Writer,object\n"
        "Novel,subClassOf,Book,subclass\nShop(ShopName),sells,Book,object\nShop,owner,Person,object\nShop,name,Name,datatype\n",
        "gold2.csv": "class,property,object,kind\n=A1,title,Title,datatype\nBook,author,Writer,object\nBook,title,Title,datatype\nNovel,subClassOf,Text,subclass\n",
        "pred.csv": "class,property,object,kind\n=A1,title,Title,datatype\nBook,title,Title,datatype\nbook,author,Author,object\n"
        "Novel,subClassOf,Text,subclass\nShop,sells,Book,object\nBook,title,Title,datatype\nShop,owner,Writer,object\nShop,name,Name,datatype\n",
        "other.csv": "class,property,object,kind\n=A1,title,Title,datatype\nBook,title,Title,datatype\nBook,cost,Price,datatype\nNovel,subClassOf,Text,subclass\n",
        "ignored.csv": "class,property,object,kind\nNovel,subClassOf,Text,subclass\n",
        "bad.csv": "class,property,object,kind\nBook,title,Title,datatype\n,,,\nBook\n",
        "run1.csv": "class,property,object,kind\n=A1,title,Title,datatype\n",
        "run2.csv": "class,property,object,kind\n=A1,title,Title,datatype\nBook,title,Title,datatype\nBook,author,Writer,object\n",
        "wide.csv": table(3, OF_AXIOMS),
        "widegold.csv": table(4, OF_AXIOMS),
        "bare.csv": "Book,class,kind,datatype\nNovel,property,class,datatype\n",
        "baregold.csv": "Book,class,kind,datatype\nNovel,property,object,datatype\n",
        "tabs.csv": "class\tproperty\tobject\tkind\nBook\ttitle\tTitle\tdatatype\nBook\tcost\tPrice\tdatatype\nShop\tsells\tBook\tobject\n",
        "tabsgold.csv": "class\tproperty\tobject\tkind\nBook\ttitle\tTitle\tdatatype\nBook\tcost\tTitle\tdatatype\nShop\towns\tBook\tobject\n",
        "gold.nt": owl([("Novel", "Book"), ("Poem", "Text"), ("Ode", "Poem"), ("Play", "Text")]),
        "pred.nt": owl(
            [("Novel", "Book"), ("Poem", "Book"), ("Ode", "Poem"), ("Play", "Text")], german="das ", base="y"
        ),
        "same.csv": "pred,gold,score\nText,Book,1\nAuthor,Writer,1\n",
        "worst.csv": "class,property,object,kind\n=A1,title,Title,datatype\nBook,subClassOf,Ant,subclass\nNovel,subClassOf,Bee,subclass\n",
        "judged.csv": "class,property,object,kind\nNovel,subClassOf,Text,subclass\n",
        "aligned.csv": 'pred,gold,score\n"book, author, Author","Book, author, Writer",1\n',
        "scope.txt": "=A1\nShop\nBook\nTitle\nAuthor\nWriter\nNovel\nText\n",
    },
    {"preds": ["pred.csv"], "gold": ["gold.csv"], "measure": ["-m", "exact"]},
    common(
        "csv",
        ci_unit=sample("--ci-unit", "class", **CI),
        measure=sample("-m", "coverage"),
        as_=sample("--as", "gines-almagro", measure=[]),
        sweep=sample("--sweep", measure=["-m", "weighted(names=fuzzy)"], encoder=("--encoder", "hashing")),
        by=sample("--by", "kind"),
        equivalences=sample("--equivalences", "same.csv", measure=["-m", "weighted"]),
        alignment=sample("--alignment", "aligned.csv", measure=["-m", "weighted"]),
        text=sample("--text", "iri", **RDF_AXIOMS),
        language=sample("--language", "de", text=("--text", "label"), **RDF_AXIOMS),
        fold_case=sample("--fold-case"),
        strip_key=sample("--strip-key"),
        class_column=sample("--class-column", "a", **WIDE),
        property_column=sample("--property-column", "b", **WIDE),
        object_column=sample("--object-column", "c", explain=("--explain", "out.tsv"), **WIDE),
        kind_column=sample("--kind-column", "d", by=("--by", "kind"), **WIDE),
        header=sample("--header", "no", preds=["bare.csv"], gold=["baregold.csv"]),
        input_format=sample("--input-format", "tsv", preds=["tabs.csv"], gold=["tabsgold.csv"]),
        encoder=sample("--encoder", "hashing"),
        null=sample("--null", "permute-parts", draws=("--draws", "8")),
        fail_under=sample("--fail-under", "f1=0.999"),
    ),
    small=False,
)
ONTOLOGY = """\
<http://x/cat> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .
<http://x/cat> <http://www.w3.org/2000/01/rdf-schema#label> "a cat"@en .
<http://x/cat> <http://www.w3.org/2000/01/rdf-schema#label> "eine Katze"@de .
"""
SSSOM = "#curie_map:\n#  x: http://x/\n#  semapv: https://w3id.org/semapv/vocab/\n"
SSSOM += "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence\n"
SIDES = {"preds": ["pred.sssom.tsv"], "gold": ["gold.sssom.tsv"]}
ALIGNMENT = Case(
    ("alignment",),
    {
        "gold.csv": "source,target,relation\n=A1,http://y/a,=\nhttp://x/cat,http://y/chat,=\nhttp://x/dog,http://y/chien,=\n"
        "http://x/cow,http://y/bete,<\nhttp://x/ewe,http://y/brebis,=\n",
        "gold2.csv": "source,target,relation\n=A1,http://y/a,=\nhttp://x/dog,http://y/chien,=\nhttp://x/cat,http://y/chat,=\nhttp://x/cow,http://y/vache,=\n",
        "pred.csv": "source,target,relation,score\n=A1,http://y/a,=,1\nhttp://x/cat,http://y/chat,=,0.9\nhttp://y/chien,http://x/dog,=,0.8\n"
        "http://x/cow,http://y/vache,=,0.4\nhttp://x/cow,http://y/bete,=,0.3\nhttp://x/cat,http://y/chat,=,0.9\n",
        "other.csv": "source,target,relation\n=A1,http://y/a,=\nhttp://x/b,http://y/b,=\nhttp://x/cat,http://y/chat,=\nhttp://x/cow,http://y/vache,=\n",
        "ignored.csv": "source,target,relation\nhttp://x/cow,http://y/vache,=\n",
        "bad.csv": "source,target,relation\nhttp://x/cat,http://y/chat,=\n,,\nhttp://x/cat\n",
        "run1.csv": "source,target,relation\n=A1,http://y/a,=\n",
        "run2.csv": "source,target,relation\n=A1,http://y/a,=\nhttp://x/cat,http://y/chat,=\nhttp://x/dog,http://y/chien,=\n",
        "wide.csv": "source,target,relation,score,a,b,c,d\nhttp://x/cat,y:chat,=,0.9,x:ox,y:boeuf,<,0.1\n"
        "x:dog,y:chien,=,0.8,x:hen,y:boeuf,<,0.2\n",
        "widegold.csv": "source,target,relation,score,a,b,c,d\nhttp://x/cat,y:chat,=,0.9,http://x/cat,y:vache,=,0.1\n"
        "x:dog,y:chien,=,0.8,x:hen,y:poule,=,0.2\n",
        "pred.sssom.tsv": SSSOM + "x:cat\tskos:exactMatch\tx:chat\tsemapv:LexicalMatching\t0.9\n"
        "x:dog\tskos:exactMatch\tx:chien\tsemapv:ManualMappingCuration\t0.9\n",
        "gold.sssom.tsv": SSSOM + "x:cat\tskos:exactMatch\tx:chat\tsemapv:ManualMappingCuration\t1\n"
        "x:dog\tskos:exactMatch\tx:loup\tsemapv:LexicalMatching\t1\n",
        "big.csv": "source,target,score\nhttp://x/cat,http://y/chat,7\nhttp://x/dog,http://y/loup,3\n",
        "lists.csv": "source,target,score\nhttp://x/cat,http://y/chat,0.1\nhttp://x/cat,http://y/chien,0.3\n"
        "http://x/dog,http://y/chat,0.9\nhttp://x/dog,http://y/chien,0.4\n",
        "bare.csv": "source,target\nhttp://x/cat,http://y/chat\n",
        "baregold.csv": "source,target\nhttp://x/cat,http://y/cat\n",
        "one.jsonl": '{"source": "http://x/cat", "target": "http://y/chat"}\n',
        "x.nt": ONTOLOGY,
        "y.nt": ONTOLOGY.replace("http://x/cat", "http://y/chat"),
        "cases.csv": "case,pred,gold\none,pred.csv,gold.csv\ntwo,other.csv,gold2.csv\n",
        "worst.csv": "source,target,relation\n=A1,http://y/a,=\nhttp://x/cat,http://y/vache,=\nhttp://x/cow,http://y/chat,=\n",
        "judged.csv": "source,target,relation\nhttp://x/cow,http://y/vache,=\n",
        "scope.txt": "=A1\nhttp://y/a\nhttp://x/cat\nhttp://x/chat\nhttp://y/chat\nhttp://x/cow\nhttp://y/vache\nhttp://y/bete\nhttp://x/ewe\nhttp://y/brebis\ny:chat\ny:boeuf\ny:vache\nx:ox\n",
    },
    {"preds": ["pred.csv"], "gold": ["gold.csv"], "measure": ["-m", "overlap"]},
    common(
        "csv",
        ci_unit=sample("--ci-unit", "case", **CI),
        measure=sample("-m", "jaccard"),
        as_=sample("--as", "alignment-api", measure=[]),
        sweep=sample("--sweep"),
        by=sample("--by", "relation"),
        cases=sample("--cases", "cases.csv", preds=[], gold=[]),
        source_column=sample("--source-column", "a", **WIDE),
        target_column=sample("--target-column", "b", **WIDE),
        relation_column=sample(
            "--relation-column",
            "c",
            measure=["-m", "overlap(relation=exact)"],
            explain=("--explain", "out.csv"),
            **WIDE,
        ),
        score_column=sample("--score-column", "d", sweep=("--sweep",), **WIDE),
        relations=sample("--relations", "="),
        justification=sample("--justification", "semapv:ManualMappingCuration", **SIDES),
        unordered=sample("--unordered"),
        scores=sample("--scores", "any", preds=["big.csv"], sweep=("--sweep",)),
        block=sample("--block", "2", preds=["lists.csv"], measure=["-m", "mrr"]),
        metadata=sample("--metadata", "none", preds=["pred.sssom.tsv"], explain=("--explain", "out.csv")),
        source_ontology=sample("--source-ontology", "x.nt", misses=("--misses", "2")),
        target_ontology=sample("--target-ontology", "y.nt", misses=("--misses", "2")),
        language=sample(
            "--language", "de", source_ontology=("--source-ontology", "x.nt"), explain=("--explain", "out.csv")
        ),
        header=sample("--header", "no", gold=["baregold.csv"], preds=["bare.csv"]),
        input_format=sample("--input-format", "tsv"),
        memory=None,
        null=sample("--null", "permute-targets", draws=("--draws", "8")),
        fail_under=sample("--fail-under", "f1=0.999"),
    ),
)
FOUND = {"preds": ["given.csv"], "gold": ["givengold.csv"]}
DICTIONARY = {"dictionary": ("--dictionary", "dictionary.nt")}
CONCEPTS = Case(
    ("concepts",),
    {
        "gold.csv": "id,text\n1,=A1 takes aspirin for the heart rate (HR).\n2,The black cat sleeps on the red sofa.\n3,A fish swims in aspirin.\n",
        "gold2.csv": "id,text\n1,=A1 takes aspirin.\n2,The black cat sleeps on a chair.\n3,A fish swims.\n",
        "pred.csv": "id,text\n1,=A1 takes aspirin daily for the HR.\n2,The white dog sleeps on the red sofa.\n3,A black cat has chronic kidney disease (CKD).\n",
        "other.csv": "id,text\n1,=A1 takes aspirin daily.\n2,The white dog sleeps.\n3,A fish swims.\n",
        "ignored.csv": "id,text\n1,aspirin\n2,The red sofa.\n3,A bird.\n",
        "bad.csv": "id,text\n1,=A1 takes aspirin.\n,\n2\n",
        "run1.csv": "id,text\n1,=A1 takes aspirin.\n2,The cat.\n3,A fish.\n",
        "run2.csv": "id,text\n1,=A1 takes a pill.\n2,A dog.\n3,A fish.\n",
        "few.csv": "id,text\n2,=A1 takes aspirin.\n",
        "wide.csv": "id,text,no,words,listed\n1,A cat sleeps.,2,A cow eats a red sofa.,hen; ox\n2,A dog barks.,1,A bull eats.,fox; ox\n",
        "widegold.csv": "id,text,no,words,listed\n1,A cat sleeps.,1,A cow eats.,hen\n2,A cow sleeps.,2,A bull drinks.,fox\n",
        "trees.csv": 'id,text,tree,forest\n1,a,"{""a"": [""b"", ""c""]}","{""d"": [""e""]}"\n2,b,"{""x"": [""z""]}","{""y"": [""z""]}"\n',
        "treesgold.csv": 'id,text,tree,forest\n1,a,"{""a"": [""b"", ""quartz rock""]}","{""d"": [""e""]}"\n2,b,"{""x"": [""z""]}","{""salt lake"": [""rock""]}"\n',
        "given.csv": "id,concepts\n1,Cats;dog\n2,a fish;=A1\n",
        "givengold.csv": "id,concepts\n1,cat;dog\n2,a bird;=A1\n",
        "umls.jsonl": '{"id": "1", "concepts": [{"id": "C1", "type": "T047", "text": "cat"}, {"id": "C1", "type": "T047", "text": "cats"}, '
        '{"id": "C3", "type": "T047", "text": "fox"}]}\n',
        "umlsgold.jsonl": '{"id": "1", "concepts": [{"id": "C1", "type": "T047", "text": "cat"}, {"id": "C2", "type": "T047", "text": "ox"}]}\n',
        "table.txt": "id,text,no\n1,A cat sleeps.,8\n2,A dog barks.,9\n",
        "tablegold.txt": "id,text,no\n1,A cow sleeps.,8\n2,A dog barks.,9\n",
        "bare.csv": "id,text\n1,A cat sleeps.\n",
        "baregold.csv": "id,text\n1,A cow sleeps.\n",
        "german.csv": "id,text\n1,Ein rotes Sofa mit aspirin.\n",
        "germangold.csv": "id,text\n1,Ein rotes Sofa.\n2,An aspirin.\n",
        "dictionary.nt": """\
<http://x/A> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .
<http://x/A> <http://www.w3.org/2000/01/rdf-schema#label> "aspirin"@en .
<http://x/B> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .
<http://x/B> <http://www.w3.org/2000/01/rdf-schema#label> "red sofa"@en .
<http://x/B> <http://www.w3.org/2000/01/rdf-schema#label> "rotes Sofa"@de .
<http://x/B> <http://x/nick> "black cat" .
""",
        "worst.csv": "id,text\n1,=A1.\n2,A bee.\n3,An ant.\n",
        "judged.csv": "id,text\n1,An aspirin.\n2,A white dog.\n3,A bird.\n",
        "scope.txt": "1\n2\na1\naspirin\nred sofa\ndaily\nwhite dog\nblack cat\n",
    },
    {"preds": ["pred.csv"], "gold": ["gold.csv"], "measure": ["-m", "concept_exact"]},
    common(
        "csv",
        ci_unit=None,
        measure=sample("-m", "concept_exact(average=micro)"),
        pred_texts=sample("--text", "A cat sleeps.", preds=[]),
        gold_texts=sample("--gold-text", "A cat sleeps.", gold=[]),
        as_=sample("--as", "aci-bench", measure=[], preds=["umls.jsonl"], gold=["umlsgold.jsonl"]),
        sweep=sample("--sweep", measure=["-m", "concept(epsilon=0.3)"], encoder=("--encoder", "hashing")),
        by=sample("--by", "document"),
        extract_only=sample("--extract-only", gold=[], measure=[]),
        also=sample("--also", "rouge"),
        show=sample("--show", "1"),
        completeness=sample("--completeness", "judged"),
        dictionary=sample(*DICTIONARY["dictionary"]),
        names=sample("--names", "nick", **DICTIONARY),
        vocabularies=sample("--vocabulary", "SNOMEDCT_US", **DICTIONARY),
        suppressed=sample("--suppressed", **DICTIONARY),
        variants=sample("--variants", "none", **DICTIONARY),
        spacy=sample("--spacy", "en_no_such"),
        abbreviations=sample("--abbreviations"),
        longest=sample("--longest", "1"),
        scope=sample("--scope", "clinical"),
        fold=sample("--fold", **FOUND),
        terms=sample("--terms", preds=["umls.jsonl"], gold=["umlsgold.jsonl"], measure=["-m", "medcon(by=term)"]),
        id=sample("--id-column", "no", **WIDE),
        text=sample("--text-column", "words", **WIDE),
        concepts=sample("--concepts-column", "listed", **WIDE),
        tree=sample(
            "--tree-column",
            "forest",
            preds=["trees.csv"],
            gold=["treesgold.csv"],
            measure=["-m", "paths(epsilon=0.3)"],
            encoder=("--encoder", "hashing"),
        ),
        separator=sample(
            "--separator",
            "; ",
            tree=("--tree-column", "tree"),
            preds=["trees.csv"],
            gold=["treesgold.csv"],
            measure=["-m", "paths(epsilon=0.3)"],
            encoder=("--encoder", "hashing"),
        ),
        language=sample("--language", "de", preds=["german.csv"], gold=["germangold.csv"], **DICTIONARY),
        formulas=sample("--formulas", explain=("--explain", "out.csv"), **FOUND),
        engine=sample("--engine", "duckdb", **FOUND),
        on_unpaired=sample("--on-unpaired", "error", preds=["few.csv"]),
        header=sample("--header", "no", preds=["bare.csv"], gold=["baregold.csv"]),
        input_format=sample("--input-format", "text", preds=["table.txt"], gold=["tablegold.txt"]),
        encoder=sample("--encoder", "hashing"),
        null=sample("--null", "permute-documents", draws=("--draws", "8")),
        fail_under=sample("--fail-under", "f1=0.999"),
    ),
)


def wide(seed, first, *predicates):
    """Write a table of triples with a second set of columns, and which document its first one is."""
    columns = {"id": "12", "subject": ("Ada", "Bo"), "predicate": predicates, "object": ("Cy", "Di"), "weight": "123"}
    more = {**columns, "predicate": (*predicates, f"likes{seed}")}
    return table(seed, columns, dict(zip("abcde", more.values(), strict=True)), id=first, a=first)


TRIPLES = Case(
    ("triples",),
    {
        "gold.csv": "id,subject,predicate,object\n1,=A1,born in,Bergen\n1,Ada,bornIn,Oslo\n2,Nile,flows through,Egypt\n2,Nile,flows through,Sudan\n3,Bo,is,5\n3,Cy,is,7\n",
        "gold2.csv": "id,subject,predicate,object\n1,=A1,born in,Bergen\n1,Ada,bornIn,Rome\n2,Nile,flows through,Sudan\n3,Bo,is,5\n",
        "pred.csv": "id,subject,predicate,object\n2,Nile,runs through,Egypt\n2,Nile,flows through,Sudan\n2,Nile,flows through,Sudan\n1,=A1,born in,Bergen\n1,Ada,born in,oslo\n1,Ada,bornAt,Rome\n"
        "3,Bo,is,6\n3,Cy,is,7\n3,Nile,flows through,Egypt\n",
        "other.csv": "id,subject,predicate,object\n1,=A1,born in,Bergen\n2,Nile,runs through,Egypt\n2,Nile,has,Delta\n",
        "ignored.csv": "id,subject,predicate,object\n2,Nile,runs through,Egypt\n",
        "bad.csv": "id,subject,predicate,object\n1,=A1,born in,Bergen\n1,Ada\n2,,,\n",
        "run1.csv": "id,subject,predicate,object\n1,=A1,born in,Bergen\n",
        "run2.csv": "id,subject,predicate,object\n2,Nile,flows through,Sudan\n1,=A1,born in,Bergen\n",
        "wide.csv": wide(3, "2", "is", "eats"),
        "widegold.csv": wide(4, "1", "is", "has"),
        "bare.csv": "2,Ada,is,Bo\n1,Bo,eats,Cy\nid,subject,predicate,object\n",
        "baregold.csv": "1,Ada,is,Bo\n2,Bo,has,Cy\nid,subject,predicate,object\n",
        "formula.csv": "id,subject,predicate,object\n=1,=A1,born in,Bergen\n=1,Ada,bornIn,Oslo\n2,Bo,is,5\n",
        "formulagold.csv": "id,subject,predicate,object\n=1,=A1,born in,Bergen\n=1,Ada,bornIn,Rome\n2,Bo,is,6\n",
        "twice.jsonl": '{"id": "2", "triples": [["Ada", "is", "Cy"], ["Cy", "is", "Bo"]]}\n{"id": "1", "triples": [["Bo", "is", "Bo"]]}\n{"id": "1", "triples": [["Ada", "is", "Bo"], ["Bo", "eats", "Di"]]}\n',
        "once.jsonl": '{"id": "1", "triples": [["Ada", "is", "Bo"], ["Cy", "is", "Bo"]]}\n{"id": "2", "triples": [["Ada", "is", "Cy"]]}\n',
        "bad.jsonl": '{"id": "1", "triples": [["Ada", "is", "Bo"]]}\n{"id": "2", "triples": [["Ada"\n',
        "graph.nq": "<http://x/Ada> <http://x/is> <http://x/Bo> <http://x/2> .\n<http://x/Bo> <http://x/eats> <http://x/Cy> <http://x/1> .\n",
        "goldgraph.nq": "<http://x/Ada> <http://x/is> <http://x/Bo> <http://x/1> .\n<http://x/Bo> <http://y/has> <http://x/Cy> <http://x/2> .\n<http://x/Ada> <http://x/is> <http://x/Bo> <http://x/2> .\n",
        "table.txt": "id,subject,predicate,object\n2,Nile,runs through,Egypt\n1,=A1,born in,Bergen\n",
        "ontology.ttl": "@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n:is a owl:ObjectProperty .\n",
        "synonyms.csv": "predicate,synonym\nflows through,runs through\n",
        "worst.csv": "id,subject,predicate,object\n2,Nile,likes,Egypt\n2,Nile,sees,Sudan\n1,=A1,born in,Bergen\n",
        "judged.csv": "id,subject,predicate,object\n2,Nile,runs through,Egypt\n",
        "scope.txt": "1\n2\n=1\n=A1\nAda\nOslo\noslo\nBergen\nNile\nEgypt\nSudan\n",
    },
    {"preds": ["pred.csv"], "gold": ["gold.csv"], "measure": ["-m", "triples"]},
    common(
        "csv",
        ci_unit=sample("--ci-unit", "subject", **CI),
        measure=sample("-m", "entities"),
        as_=sample("--as", "text2kgbench", measure=[], ontology=("--ontology", "ontology.ttl")),
        sweep=sample(
            "--sweep", measure=["-m", "triples(names=fuzzy, assignment=none)"], encoder=("--encoder", "hashing")
        ),
        by=sample("--by", "predicate"),
        propose_synonyms=sample("--propose-synonyms", "0.3", measure=[], encoder=("--encoder", "hashing")),
        ontology=sample("--ontology", "ontology.ttl", measure=["-m", "conformance", "-m", "triples"]),
        synonyms=sample("--synonyms", "synonyms.csv"),
        normalise=sample("--normalise", "case,camel"),
        unit=sample("--unit", "corpus"),
        ids=sample("--ids", "order"),
        repeated=sample("--repeated", "last", preds=["twice.jsonl"], gold=["once.jsonl"]),
        text=sample("--text", "iri", preds=["graph.nq"], gold=["goldgraph.nq"], explain=("--explain", "out.csv")),
        id_column=sample("--id-column", "a", **WIDE),
        subject_column=sample("--subject-column", "b", **WIDE),
        predicate_column=sample("--predicate-column", "c", **WIDE),
        object_column=sample("--object-column", "d", **WIDE),
        weight_column=sample("--weight-column", "e", measure=["-m", "triples(weighted=yes)"], **WIDE),
        header=sample("--header", "no", preds=["bare.csv"], gold=["baregold.csv"]),
        input_format=sample("--input-format", "csv", preds=["table.txt"]),
        on_error=sample("--on-error", "stop", preds=["bad.jsonl"], gold=["once.jsonl"]),
        formulas=sample(
            "--formulas", explain=("--explain", "out.csv"), preds=["formula.csv"], gold=["formulagold.csv"]
        ),
        encoder=sample("--encoder", "hashing"),
        null=sample("--null", "permute-documents", draws=("--draws", "8")),
        fail_under=sample("--fail-under", "f1=0.999"),
    ),
    small=False,
)
OF_INSTANCES = dict.fromkeys(("instance", "a"), "123456") | dict.fromkeys(("label", "b"), ("cat", "dog", "cow", "fish"))
OF_INSTANCES |= dict.fromkeys(("score", "c"), ("0.1", "0.5", "0.9"))
LABELS = Case(
    ("labels",),
    {
        "gold.csv": "instance,label\n=A1,cat\n1,dog\n2,fish\n",
        "gold2.csv": "instance,label\n=A1,cat\n1,cow\n2,fish\n",
        "pred.csv": "instance,label,score\n=A1,cat,0.9\n1,cow,0.8\n2,bird,0.4\n2,fish,0.2\n=A1,cat,0.9\n",
        "beyond.csv": "instance,label,score\n=A1,cat,9\n1,dog,8\n",
        "other.csv": "instance,label,score\n=A1,dog,0.9\n1,cow,0.8\n2,bird,0.9\n",
        "ignored.csv": "instance,label\n2,bird\n",
        "bad.csv": "instance,label\n=A1,cat\n,\n1\n",
        "run1.csv": "instance,label\n=A1,cat\n1,cow\n2,bird\n",
        "run2.csv": "instance,label\n=A1,cat\n1,dog\n2,bird\n",
        "wide.csv": table(1, OF_INSTANCES),
        "widegold.csv": table(2, OF_INSTANCES),
        "tree.csv": "child,parent\ncat,pet\ndog,pet\npet,animal\ncow,animal\nfish,animal\nbird,animal\n",
        "tree.nt": "".join(
            f"<http://x/{one}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x/animal> .\n"
            f'<http://x/{one}> <http://www.w3.org/2000/01/rdf-schema#label> "{one}"@en .\n'
            f'<http://x/{one}> <http://www.w3.org/2000/01/rdf-schema#label> "ein {one}"@de .\n'
            for one in ("=A1", "cat", "dog", "fish", "cow", "bird")
        ).replace("=A1", "a1"),
        "german.csv": "instance,label\n=A1,ein cat\n1,ein cat\n2,dog\n",
        "germangold.csv": "instance,label\n=A1,ein cow\n1,ein cat\n2,ein dog\n",
        "bare.csv": "1,cat\n2,dog\ninstance,label\n",
        "baregold.csv": "1,cat\n2,fish\ninstance,label\n",
        "slashes.csv": "instance,label\n=A1,pet/cat\n1,pet/dog\n2,fish\n",
        "tabs.csv": "instance\tlabel\n1\tdog\n2\tbird\n",
        "tabsgold.csv": "instance\tlabel\n1\tdog\n2\tfish\n",
        "ic.csv": "label,ic\ncat,1\ndog,2\npet,0.5\nfish,1\ncow,1\nbird,1\nanimal,0\n",
        "worst.csv": "instance,label\n=A1,fish\n1,bird\n2,cow\n",
        "judged.csv": "instance,label\n2,bird\n",
        "scope.txt": "=A1\n1\n2\ncat\ndog\ncow\npet\nanimal\n",
    },
    {
        "preds": ["pred.csv"],
        "gold": ["gold.csv"],
        "measure": ["-m", "hierarchical"],
        "hierarchy": ("--hierarchy", "tree.csv"),
    },
    common(
        "csv",
        ci_unit=None,
        measure=sample("-m", "lca"),
        as_=sample("--as", "hiclass", measure=[]),
        sweep=sample("--sweep"),
        by=sample("--by", "depth"),
        ic=sample("--ic", "ic.csv", measure=["-m", "smin", "-m", "hierarchical"]),
        hierarchy=sample("--hierarchy", "tree.csv", hierarchy=()),
        root=sample("--root", "pet"),
        names=sample("--names", "name", hierarchy=("--hierarchy", "tree.nt")),
        language=sample(
            "--language",
            "de",
            names=("--names", "label"),
            hierarchy=("--hierarchy", "tree.nt"),
            preds=["german.csv"],
            gold=["germangold.csv"],
        ),
        instance_column=sample("--instance-column", "a", **WIDE),
        label_column=sample("--label-column", "b", **WIDE),
        scores=sample("--scores", "any", preds=["beyond.csv"]),
        keep=sample("--keep", "best"),
        separator=sample("--separator", "/", preds=["slashes.csv"]),
        score_column=sample("--score-column", "c", **WIDE),
        header=sample("--header", "no", preds=["bare.csv"], gold=["baregold.csv"]),
        input_format=sample("--input-format", "tsv", preds=["tabs.csv"], gold=["tabsgold.csv"]),
        null=sample("--null", "permute-instances", draws=("--draws", "8")),
        fail_under=sample("--fail-under", "f1=0.999"),
    ),
    small=False,
)


def unl(*sentences):
    """Write a UNL document."""
    return "".join(
        f"[S:{number}]\n{{org}}\n{text}\n{{/org}}\n{{ru}}\n\u043d\u0435\u0442 {text}\n{{/ru}}\n{{unl}}\n{graph}\n{{/unl}}\n[/S]\n"
        for number, (text, graph) in enumerate(sentences, start=1)
    )


KILLS = ("Peter kills.", "agt(kill, Peter)\nobj(kill, Mary.@pl)")
EATS = ("Cats eat.", "agt(eat, cat)\nobj(eat, fish)")
UNL = Case(
    ("unl",),
    {
        "gold.unl": unl(
            KILLS, EATS, ("Dogs run.", "agt(run, dog)\nplc(run, park)"), ("Birds sing.", "agt(sing, bird)")
        ),
        "gold2.unl": unl(
            KILLS,
            ("Cats eat.", "agt(eat, cat)\nins(eat, fork)"),
            ("Dogs run.", "agt(run, dog)"),
            ("Birds sing.", "agt(sing, bee)"),
        ),
        "pred.unl": unl(
            ("Peter kills.", "agt(kill, Peter)\nobj(kill, Anna)"),
            ("Cats eat.", "agt(eat, cat)\nins(eat, fork)"),
            ("Dogs run.", "agt(run, dog)\nplc(run, park)"),
            ("Birds sing.", "agt(sing, bee)\nagt(sing, ant)"),
        ),
        "other.unl": unl(
            KILLS, ("Cats eat.", "agt(eat, cow)"), ("Dogs run.", "agt(run, dog)"), ("Birds sing.", "agt(sing, ant)")
        ),
        "ignored.unl": unl(("Peter kills.", "obj(kill, Anna)")),
        "bad.unl": unl(("Peter kills.", "agt(kill, Peter)"), ("Cats eat.", "agt(eat cat")),
        "run1.unl": unl(
            KILLS, ("Cats eat.", "agt(eat, cow)"), ("Dogs run.", "agt(run, dog)"), ("Birds sing.", "agt(sing, ant)")
        ),
        "run2.unl": unl(KILLS, EATS, ("Dogs run.", "agt(run, ox)"), ("Birds sing.", "agt(sing, ant)")),
        "worst.unl": unl(
            ("Peter kills.", "agt(see, Bob)"), ("Cats eat.", "agt(see, cat)"), ("Dogs run.", "agt(run, dog)"), EATS
        ),
        "formula.unl": unl(("Peter kills.", "agt(=kill, Peter)")),
        "judged.unl": unl(("Peter kills.", "obj(kill, Anna)")),
        "scope.txt": "1\n2\n4\n",
    },
    {"preds": ["pred.unl"], "gold": ["gold.unl"], "measure": ["-m", "unl_relations"]},
    common(
        "unl",
        ci_unit=None,
        measure=sample("-m", "unl_uws"),
        as_=sample("--as", "unl-wiki", measure=[]),
        sweep=sample("--sweep", measure=["-m", "discrepancy"]),
        by=sample("--by", "sentence"),
        completeness=sample("--completeness", "judged"),
        combine=sample("--combine", "mean", gold=["gold.unl", "gold2.unl"]),
        formulas=sample("--formulas"),
        show=sample("--show", "S:1", measure=[]),
        encoding=sample("--encoding", "cp500"),
        null=sample("--null", "permute-sentences", draws=("--draws", "8")),
        fail_under=sample("--fail-under", "f1=0.999"),
    ),
)
SENTENCES = Case(
    ("sentences",),
    {
        "gold.csv": "id,text\n1,=A1 kills.\n2,No one ever went to the far islands of the north.\n3,A fish swims.\n",
        "gold2.csv": "id,text\n1,=A1 kills.\n2,The cat sleeps.\n3,A bird flies over the hill.\n",
        "pred.csv": "id,text\n1,=A1 kills\n2,The dog barks at night.\n3,A fish swims.\n",
        "other.csv": "id,text\n1,A1 kills\n2,The cow sleeps.\n3,Fish swims.\n",
        "ignored.csv": "id,text\n3,A fish swims.\n",
        "bad.csv": "id,text\n1,=A1 kills.\n,A dog.\n,\n3,A fish.\n",
        "run1.csv": "id,text\n1,=A1 kill.\n2,The cat.\n3,A fish.\n",
        "run2.csv": "id,text\n1,=A1 kills.\n2,The dog.\n3,A fish.\n",
        "wide.csv": "id,text,no,words\n1,A cat sleeps.,2,A cow eats.\n2,A dog barks.,1,A bull eats.\n",
        "widegold.csv": "id,text,no,words\n1,A cat sleeps.,1,A cow eats.\n2,A cow sleeps.,2,A bull drinks.\n",
        "bare.csv": "1,A cat.\n2,A dog.\nid,text\n",
        "baregold.csv": "1,A cat.\n2,No one ever went to the far islands.\nid,text\n",
        "plain.txt": "Эta",
        "pred.unl": unl(("Peter kills.", "agt(kill, Peter)"), ("Cats eat.", "agt(eat, cat)")),
        "gold.unl": unl(
            ("Peter kills.", "agt(kill, Peter)"), ("No one ever went to the far islands.", "agt(eat, cat)")
        ),
        "worst.csv": "id,text\n1,bla\n2,bla bla bla\n3,Aha\n",
        "judged.csv": "id,text\n1,=A1 kills\n",
        "scope.txt": "1\n2\n",
    },
    {"preds": ["pred.csv"], "gold": ["gold.csv"], "measure": ["-m", "levenshtein"]},
    common(
        "csv",
        ci_unit=None,
        measure=sample("-m", "levenshtein(limit=1)"),
        pred_texts=sample("--text", "=A1 kills", "--text", "A fish", preds=[]),
        gold_texts=sample("--gold-text", "=A1 kills.", "--gold-text", "The cat sleeps.", gold=[]),
        also=sample("--also", "rouge"),
        as_=sample("--as", "unl-wiki-sentences", measure=[]),
        sweep=sample("--sweep"),
        by=sample("--by", "sentence"),
        completeness=sample("--completeness", "judged"),
        language=sample("--language", "ru", preds=["pred.unl"], gold=["gold.unl"]),
        encoding=sample(
            "--encoding",
            "latin-1",
            preds=["pred.unl"],
            gold=["gold.unl"],
            explain=("--explain", "out.csv"),
            language=("--language", "ru"),
        ),
        text_column=sample("--text-column", "words", explain=("--explain", "out.tsv"), **WIDE),
        id_column=sample("--id-column", "no", explain=("--explain", "out.tsv"), **WIDE),
        header=sample("--header", "no", preds=["bare.csv"], gold=["baregold.csv"]),
        null=sample("--null", "permute-sentences", draws=("--draws", "8")),
        fail_under=sample("--fail-under", "f1=0.999"),
    ),
    small=False,
)
OF_COMPARE = {
    *LAYOUTS,
    "output",
    "explain",
    "evidence",
    "report",
    "figure",
    "misses",
    "hubs",
    "pivot",
    "places",
    "percent",
    "quiet",
    "verbose",
}
OF_COMPARE |= {"formulas", "level", "resamples", "ci_method", "ci_unit", "seed", "chance", "null", "draws"}
OF_COMPARE |= {"fail_under", "encoder"}
"""The samples of a family's command that are also those of comparisons, which always have intervals."""
COMPARE = Case(
    ("compare",),
    TAXONOMY.files,
    {
        "preds": ["gold.csv", "pred.csv", "other.csv"],
        "measure": ["-m", "literal"],
        "resamples": ("--resamples", "100"),
    },
    {
        **{
            name: Sample(
                one.words, {key: words for key, words in one.needs.items() if key not in ("ci", *PLACES)}, one.option
            )
            for name, one in TAXONOMY.samples.items()
            if name in OF_COMPARE
        },
        "kind": sample("--kind", "axioms"),
        "measure": sample("-m", "nodes"),
        "input_format": sample("--input-format", "tsv"),
        "gold_format": sample("--gold-format", "taxo"),
        "pred_format": sample("--pred-format", "taxo"),
        "on_error": sample("--on-error", "skip", preds=["gold.csv", "pred.csv", "bad.csv"]),
        "against": sample("--against", "best", preds=["gold.csv", "worst.csv", "pred.csv"]),
        "baseline": sample("--baseline", "earlier.json", preds=["gold.csv", "pred.csv"]),
        "max_drop": sample(
            "--max-drop", "0.99", preds=["gold.csv", "pred.csv"], baseline=("--baseline", "earlier.json")
        ),
    },
)
BY_CHANCE = {"gold_file": ("--gold", "gold.nt"), "against_chance": ("--against-chance", "0.5"), "preds": ["pred.nt"]}
CALIBRATE = Case(
    ("calibrate",),
    {
        "pairs.csv": "a,b\ncat,kitten\ndog,puppy\nfish,fishes\n",
        "bad.csv": "a,b\ncat,kitten\ndog\nfish,fishes\n",
        "names.nt": "".join(
            f'<http://x/{name}> <http://www.geneontology.org/formats/oboInOwl#hasExactSynonym> "{synonym}"@{tag} .\n'
            f'<http://x/{name}> <http://www.w3.org/2000/01/rdf-schema#label> "{label}"@{tag} .\n'
            for name, label, synonym, tag in (("A", "aspirin", "ASA", "en"), ("A", "Aspirin", "Acetyl", "de"))
        ),
        "vectors.npz": "",
        **{name: TAXONOMY.files[name] for name in ("gold.nt", "pred.nt")},
    },
    {"preds": ["pairs.csv"], "encoder": ("--encoder", "hashing")},
    {
        "ontology": sample("--from", "names.nt", preds=[]),
        "against_chance": sample("--against-chance", "0.4", **BY_CHANCE),
        "gold_file": sample("--gold", "names.nt", **BY_CHANCE),
        "language": sample("--language", "de", ontology=("--from", "names.nt"), preds=[]),
        "language_by_chance": sample("--language", "de", option="language", **BY_CHANCE),
        "layout": sample("--format", "json"),
        "negatives": sample("--negatives", "hierarchy", preds=["gold.nt"]),
        "on_error": sample("--on-error", "skip", preds=["bad.csv"]),
        "encoder": sample("--encoder", "vectors.npz"),
        "model_path": sample("--model-path", "no"),
    },
    gate="",
)
PAIRS = (
    "source,target,relation,score,from,to,kind\nhttp://x/a,http://y/a,=,1,http://x/b,http://y/c,<\nhttp://x/d,http://y/d,<,0.9,http://x/d,http://y/e,=\n"
    "http://y/d,http://x/d,>,0.8,http://y/d,http://x/d,>\nhttp://y/k,http://x/k,<,0.7,http://y/k,http://x/k,<\nhttp://x/d,http://y/e,<,0.4,http://x/f,http://y/g,>\n"
)
CONVERT = Case(
    ("convert",),
    {
        "pairs.csv": PAIRS,
        "bad.csv": f"{PAIRS}http://x/a\n",
        "pred.sssom.tsv": ALIGNMENT.files["pred.sssom.tsv"] + "x:a\tskos:broadMatch\tx:b\tsemapv:LexicalMatching\t0.9\n"
        "x:c\tskos:broadMatch\tx:d\tsemapv:ManualMappingCuration\t0.9\n",
    },
    {"preds": ["pairs.csv", "out.tsv"]},
    {
        "to": sample("--to", "csv"),
        "swap": sample("--swap"),
        "quiet": sample("--quiet"),
        "relations": sample("--relations", "<"),
        "unordered": sample("--unordered"),
        "score_column": sample("--score-column", "none"),
        "relation_column": sample("--relation-column", "kind"),
        "source_column": sample("--source-column", "from"),
        "target_column": sample("--target-column", "to"),
        "header": sample("--header", "no"),
        "input_format": sample("--input-format", "tsv"),
        "block": sample("--block", "2"),
        "justification": sample("--justification", "semapv:ManualMappingCuration", preds=["pred.sssom.tsv", "out.tsv"]),
        "metadata": sample("--metadata", "none", preds=["pred.sssom.tsv", "out.tsv"]),
        "on_error": sample("--on-error", "skip", preds=["bad.csv", "out.tsv"]),
    },
    gate="",
)
INSPECT = Case(
    ("inspect",),
    TAXONOMY.files,
    {"preds": ["pred.csv"]},
    {
        "kind": sample("--kind", "axioms"),
        "layout": sample("--format", "json"),
        "edges": sample("--edges", "all", preds=["gold.nt"]),
        "text": sample("--text", "iri", preds=["gold.nt"]),
        "nodes": sample("--nodes", "linked", preds=["gold.nt"]),
        "obsolete": sample("--obsolete", "keep", preds=["gold.nt"]),
        "language": sample("--language", "de", preds=["gold.nt"]),
        "child_column": sample("--child-column", "kid", preds=["wide.csv"]),
        "parent_column": sample("--parent-column", "mum", preds=["wide.csv"]),
        "header": sample("--header", "no"),
        "dictionary": sample("--dictionary", "gold.nt"),
    },
    gate="",
)
CASES = {
    one.command[0]: one
    for one in (
        TAXONOMY,
        AXIOMS,
        ALIGNMENT,
        CONCEPTS,
        TRIPLES,
        LABELS,
        UNL,
        SENTENCES,
        COMPARE,
        CALIBRATE,
        CONVERT,
        INSPECT,
    )
}
