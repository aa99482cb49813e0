import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.errors import UsageError
from goldassay.core.signature import Signature

keys = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)


@given(st.text(), st.dictionaries(keys, st.text(), max_size=4))
def test_a_signature_reads_back(measure, fields):
    signature = Signature(measure, fields)
    assert Signature.parse(str(signature)) == signature
    assert "\n" not in str(signature)


def test_a_part_without_a_name_is_refused():
    with pytest.raises(UsageError, match="Invalid signature"):
        Signature.parse("fuzzy|nonsense")


def test_a_field_is_added_before_the_version():
    line = Signature("literal", {"gold": "3", "goldassay": "1.0"}).with_field("ci", "bca")
    assert str(line) == "literal|gold:3|ci:bca|goldassay:1.0"
    assert str(Signature("literal", {"gold": "3"}).with_field("ci", "bca")) == "literal|gold:3|ci:bca"
