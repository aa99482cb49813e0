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
