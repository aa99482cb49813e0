"""A measure and a family of one's own for goldassay."""
