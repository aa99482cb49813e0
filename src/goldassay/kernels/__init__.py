"""Arrays in, arrays out: the time-critical loops, independent of models, measures and files."""
