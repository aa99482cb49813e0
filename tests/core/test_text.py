"""Short texts of messages."""

import pytest

from goldassay.core.text import list_first


@pytest.mark.parametrize(("count", "more"), [(0, ""), (1, ""), (5, ""), (6, " and 1 more"), (1_005, " and 1,000 more")])
def test_five_names_are_listed(count, more):
    names = [f"n{number}" for number in range(count)]
    assert list_first(names) == ", ".join(names[:5]) + more
