"""The measures of concepts."""
