"""The measures of labels."""
