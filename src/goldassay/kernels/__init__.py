"""Arrays in, arrays out: the loops that decide how long an evaluation takes. Knows no model, no measure and no file."""
