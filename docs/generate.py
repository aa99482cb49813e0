"""Write the pages of the docs that the code itself knows: run by `make docs`, checked by the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from goldassay.core.family import Family, reference
from goldassay.core.measure import Measure
from goldassay.core.parameters import parameters_of
from goldassay.families import families

PAGE = Path(__file__).with_name("measures.md")
HEAD = """# Measures

Written from the declarations of the measures by `make docs`. On the command line: `goldassay measures [NAME]`.
"""


def measures_page() -> str:
    """Write the page of all measures."""
    return "\n".join([HEAD, *(family_section(family) for family in families().values())])


def family_section(family: Family[Any]) -> str:
    """Write the section of one family."""
    default = ", ".join(f"`{measure}`" for measure in family.default)
    sections = "\n".join(measure_section(measure) for measure in family.measures)
    return f"## {family.title}\n\n`goldassay {family.kind}`; without `-m`: {default}.\n\n{sections}"


def measure_section(measure: type[Measure[Any]]) -> str:
    """Write the section of one measure."""
    bounds = ", ".join(f"{name} in [{low:g}, {high:g}]" for name, (low, high) in measure().values.items())
    rows = "\n".join(
        f"| `{name}` | `{declared.default}` | {declared.help} | {declared.expected} |"
        for name, declared in parameters_of(measure).items()
    )
    conventions = "".join(f"- {convention}\n" for convention in measure.conventions)
    return f"""### `{measure()}`: {measure.title}

{(measure.__doc__ or "").strip().partition(chr(10))[0]}

$${measure.formula}$$

Values: {bounds}; {"higher" if measure.higher_is_better else "lower"} is better.

| parameter | default | what it does | may be |
|---|---|---|---|
{rows}

{conventions}
```bibtex
{reference(measure.citation)}
```
"""


if __name__ == "__main__":
    PAGE.write_text(measures_page(), encoding="utf-8")
