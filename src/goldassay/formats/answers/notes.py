"""The words for what models say besides what was asked for: in keys of JSON, in headings, and at the beginning of lines."""

from __future__ import annotations

import re

from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular
from goldassay.formats.column_names import bare

REMARKS = (
    "note|notes|comment|comments|remark|remarks|hinweis|hinweise|anmerkung|anmerkungen|remarque|remarques|nota|notas"
    "|observación|observaciones|observação|observações|ملاحظة|注|注意|备注|说明|備考|注記"
)
REASONS = (
    "reason|reasons|reasoning|rationale|explanation|explanations|justification|justifications"
    "|begründung|erklärung|explication|raison|justificación|explicación|razón|理由|原因|解释"
)
"""Names of why something was answered."""
THINKING = "thought|thoughts|thinking|analysis"
"""Names of what was thought before it."""
SUMMARIES = "summary|zusammenfassung|résumé|resumen"
SOURCES = "source|sources|reference|references|quelle|quellen|fuente|fuentes"
CLOSING = "legend|assumption|assumptions|conclusion|conclusions|disclaimer|limitation|limitations"
"""Names of sections that close an answer."""
HEAD_OF_SOURCES = pattern_of(
    rf"[*_#\s]{{0,5}}(?:{SOURCES}|bibliography|citations|works cited)\s?:?[*_]{{0,2}}:?\s*", re.IGNORECASE
)
"""A heading above sources."""


def keys_of(*patterns: str) -> frozenset[str]:
    """Return the words of some patterns as keys of JSON are compared: their letters, as singulars."""
    return frozenset(singular(bare(word)) for pattern in patterns for word in pattern.split("|"))
