"""What files of triples are: records, tables, lines and XML, of annotators, benchmarks and graph builders."""
