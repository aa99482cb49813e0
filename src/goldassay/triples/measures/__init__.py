"""The measures of triples."""
