"""The measures of alignments."""
