"""What `goldassay selfcheck` prints of a measure."""

import io

from rich.console import Console

from goldassay.cli import selfcheck
from goldassay.selfcheck import Fitness


def test_no_number_is_broken_on_a_narrow_terminal():
    found = Fitness(
        measure="literal",
        change="parents at random",
        steps=(0.1, 0.25, 0.5, 0.75, 1.0),
        values=(0.912, 0.764, 0.532, 0.287, 0.011),
        verdict="falls as it should",
        fit=True,
        worst=1.0,
        best=1.0,
    )
    for width in range(48, 100):
        console = Console(file=io.StringIO(), width=width, color_system=None)
        console.print(selfcheck._table([found]))
        shown = console.file.getvalue().split()
        assert {"0.912", "0.764", "0.532", "0.287", "0.011"} <= {*shown}, width
