"""A small challenge, its edges, and tables of some of them."""

ABOUT = """
name = "pets"
title = "Pets 2027"
description = "Find the *parents* of pets."
kind = "taxonomy"
measures = ["literal"]
rank_by = "literal.f1"
prediction = "prediction.csv"
intervals = true
"""
"""All of a challenge but its phases."""
EDGES = [f"pet {n},kind {n % 7}\n" for n in range(40)]


def table(edges):
    return "child,parent\n" + "".join(edges)
