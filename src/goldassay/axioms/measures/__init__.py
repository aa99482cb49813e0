"""The measures of axioms."""
