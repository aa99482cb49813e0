"""What files of concepts are: records, tables, annotated texts, and terminologies."""
