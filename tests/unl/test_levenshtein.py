"""Examples of unl/measures/levenshtein.py."""

from goldassay.unl.measures.levenshtein import edit_script, fold_text


def test_the_example_of_fold_text():
    assert fold_text(" two   words ") == "two words"


def test_the_example_of_edit_script():
    assert edit_script("A cat gave us a tale.", "The cat gave a tale.") == "[-A-]{+The+} cat gave [-us -]a tale."
