"""Matching of edges by meaning: the join at a threshold, the best counterpart, and the best one-to-one assignment."""
