"""The semantic groups of the UMLS that MEDCON counts, and the semantic types in each (McCray et al. 2001)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TYPES: Mapping[str, str] = MappingProxyType(
    {
        "ANAT": "T017 T018 T021 T022 T023 T024 T025 T026 T029 T030 T031",
        "CHEM": "T103 T104 T109 T110 T111 T114 T115 T116 T117 T118 T119 T120 T121 T122 T123 T124 T125 T126 T127 T129 T130 T131 "
        "T192 T195 T196 T197 T200",
        "DEVI": "T074 T075 T203",
        "DISO": "T019 T020 T033 T037 T046 T047 T048 T049 T050 T184 T190 T191",
        "GENE": "T028 T085 T086 T087 T088",
        "PHEN": "T034 T038 T067 T068 T069 T070",
        "PHYS": "T032 T039 T040 T041 T042 T043 T044 T045 T201",
    }
)
"""Anatomy, chemicals and drugs, devices, disorders, genes and molecular sequences, phenomena, and physiology."""

GROUP_OF: Mapping[str, str] = MappingProxyType(
    {**{kind: group for group, kinds in TYPES.items() for kind in kinds.split()}, **{group: group for group in TYPES}}
)


def groups_of(kinds: str) -> frozenset[str]:
    """Return the groups of a concept.

    Example:
        >>> sorted(groups_of("T047,T184,T023")), groups_of("T061")
        (['ANAT', 'DISO'], frozenset())
    """
    return frozenset(GROUP_OF[kind] for kind in kinds.split(",") if kind in GROUP_OF)
