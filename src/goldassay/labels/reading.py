LABEL=frozenset({"label"})
