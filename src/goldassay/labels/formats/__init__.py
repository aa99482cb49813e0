"""Files of labels that are no tables with a row for each."""
