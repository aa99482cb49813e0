"""Examples of `goldassay.concepts.formats.trees`: what its functions give."""

from goldassay.concepts.formats.trees import paths_of


def test_example_of_paths_of():
    assert paths_of(
        {"text": "Stop smoking", "children": ["it harms", {"text": "it costs", "children": ["a lot"]}]}, " > "
    ) == ["Stop smoking > it harms", "Stop smoking > it costs > a lot"]
    assert paths_of("- Stop smoking\n  - it harms\n  - it costs\n    - a lot", " > ") == [
        "Stop smoking > it harms",
        "Stop smoking > it costs > a lot",
    ]
    assert paths_of({"Stop smoking": {"it harms": {}, "it costs": "a lot"}}, " > ") == [
        "Stop smoking > it harms",
        "Stop smoking > it costs > a lot",
    ]
