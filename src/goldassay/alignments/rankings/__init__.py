"""Measures of ranked candidates: where the targets of gold stand in the lists of a prediction."""
