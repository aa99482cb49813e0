"""Properties that are declared as both kinds are counted, and some are named."""

import pytest

from goldassay.axioms import read_axioms

HEAD = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"


@pytest.mark.parametrize("count", [0, 1, 5, 6])
def test_a_property_of_both_kinds_is_noted(tmp_path, count):
    names = [f"<http://x/p{number}>" for number in range(7)]
    declared = [f"{name} a owl:ObjectProperty ." for name in names]
    declared += [f"{name} a owl:DatatypeProperty ." for name in reversed(names[:count])]
    path = tmp_path / "a.ttl"
    path.write_text(f"{HEAD}<http://x/cat> rdfs:subClassOf <http://x/animal> .\n" + "\n".join(declared))
    found = [note for note in read_axioms(path).notes if "as object property" in note]
    shown = ", ".join(names[: min(count, 5)])
    assert found == ([f"{count} declared as object property and as datatype property: {shown}"] if count else [])


@pytest.mark.parametrize("declared", [(), ("Datatype",), ("Object",), ("Datatype", "Object")])
@pytest.mark.parametrize("filler", ["<http://x/cat>", "<http://www.w3.org/2001/XMLSchema#string>", "<http://x/own>"])
def test_a_property_is_of_data_where_it_is_declared_or_its_filler_is(declared, filler, tmp_path):
    path = tmp_path / "a.ttl"
    lines = [f"<http://x/p> a owl:{kind}Property ." for kind in declared]
    lines += [f"<http://x/p> rdfs:domain <http://x/cat> ; rdfs:range {filler} .", "<http://x/own> a rdfs:Datatype ."]
    path.write_text(HEAD + "\n".join(lines))
    data = declared == ("Datatype",) or "cat" not in filler
    assert read_axioms(path).kind_names(slice(None)).tolist() == ["datatype" if data else "object"]
