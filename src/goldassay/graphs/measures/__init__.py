"""The measures of taxonomies and knowledge graphs."""
