"""Examples of triples/measures/spans.py."""

import numpy as np

from goldassay.triples.measures.spans import count_matched_spans, count_spans, values_of


def test_the_example_of_count_matched_spans():
    matched = np.array([count_matched_spans(("alpha beta", "city", "oslo"), ("alpha gamma", "city", "oslo"))])
    assert (count_spans(matched, "strict").tolist(), values_of(count_spans(matched, "strict")).round(4).tolist()) == (
        [[3, 0, 0, 0, 2]],
        [[0.6, 1.0, 0.75]],
    )
