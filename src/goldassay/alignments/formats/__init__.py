"""The files that alignments come in: OAEI, SSSOM, tables and candidate lists; read and written."""
