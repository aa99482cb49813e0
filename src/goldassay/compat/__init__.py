"""Functions of other packages by the same names, with the same numbers."""
