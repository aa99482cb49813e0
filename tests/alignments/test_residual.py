"""Examples of alignments/measures/residual.py."""

from goldassay.alignments.measures.residual import _letters, _words


def test_the_example_of_letters():
    assert _letters("Program-Committee member") == "programcommitteemember"


def test_the_example_of_words():
    assert _words("memberOfCommittee") == _words("committee_member of") == _words("Member_Of__Committee")
