"""Concepts in texts: the names of a dictionary, noun phrases, and what is stated of them."""
