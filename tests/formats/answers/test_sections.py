"""Examples of `goldassay.formats.answers.sections`: what its functions give."""

from goldassay.formats.answers.sections import plain_lines


def test_example_of_plain_lines():
    from goldassay.formats.answers.lines import lines_of_answer
    from goldassay.formats.answers.means import OF_TRIPLES

    lines = lines_of_answer("Entities:\n- Oslo\n- Norway\n\nRelations:\n- (Oslo, capital of, Norway)")
    assert [line.text for line in plain_lines(lines, OF_TRIPLES).lines] == ["(Oslo, capital of, Norway)"]
