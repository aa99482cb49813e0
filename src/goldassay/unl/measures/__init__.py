"""The measures of UNL documents and of sentences."""
