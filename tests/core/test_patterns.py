"""A pattern is compiled when it is first used, and is then what `re.compile` makes."""

import copy
import pickle
import re

import pytest

from goldassay.core import patterns
from goldassay.core.patterns import pattern_of


def test_nothing_is_compiled_before_it_is_used(monkeypatch):
    compiled = []
    monkeypatch.setattr(patterns.re, "compile", lambda *given: compiled.append(given) or re._compiler.compile(*given))
    words = pattern_of(r"\w+", re.ASCII)
    assert words.pattern == r"\w+"
    assert compiled == []
    assert words.findall("a, é, b") == ["a", "b"]
    assert words.findall("c") == ["c"]
    assert compiled == [(r"\w+", re.ASCII)]


@pytest.mark.parametrize("made", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
@pytest.mark.parametrize("is_used", [False, True])
def test_a_copy_finds_the_same(made, is_used):
    pattern = pattern_of(rb"a+")
    if is_used:
        assert pattern.search(b"caat")
    assert made(pattern).search(b"caat").span() == (1, 3)


def test_a_pattern_has_what_a_compiled_one_has():
    late, compiled = pattern_of("(?P<x>a)|b", re.IGNORECASE), re.compile("(?P<x>a)|b", re.IGNORECASE)
    for name in ("flags", "groups", "groupindex", "pattern"):
        assert getattr(late, name) == getattr(compiled, name)
    with pytest.raises(AttributeError):
        late.no_such_method  # noqa: B018


def test_a_pattern_that_cannot_be_compiled_is_refused_when_it_is_used():
    with pytest.raises(re.error):
        pattern_of("(").search("a")
