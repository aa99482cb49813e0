"""Measures of ranked candidates: the ranks of the targets of gold in the lists of a prediction."""
