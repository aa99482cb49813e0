"""Model output: fences, prose and batches taken off, and what is stated, in any of many shapes, written as a table."""
