"""English words that are not part of concepts: they separate the chunks of a text."""

from __future__ import annotations

from goldassay.concepts.fold import fold

WORDS = """
a about above across actually after again against all almost also although always am among an and another any anyone
anything are around as at away back be became because become becomes been before began behind being below beside besides
between beyond both but by came can cannot come comes could did do does doing done down during each eg either else enough
especially etc even ever every everyone everything except few first for former from further gave general generally get
gets getting give given gives giving go goes going gone good got had has have having he hence her here hers herself him
himself his how however i ie if in indeed instead into is it its itself just keep keeps kept know known knows last later
latter least less let likely made mainly make makes making many may maybe me meanwhile might mine more moreover most
mostly much must my myself namely near nearly need needs neither never nevertheless no nobody none nor not nothing now of
off often on once one only onto or other others otherwise our ours ourselves out over own per perhaps please possible
possibly probably put quite rather really regarding respectively s said same say says second see seem seemed seems seen
several shall she should show showed shown shows since so some someone something sometimes soon still such t take taken
takes taking tell than that the their theirs them themselves then there therefore these they thing things this those
though through throughout thus to today together too took toward towards two typically under unless until up upon us use
used uses using usually various very via was way we well went were what whatever when where whereas whether which while
who whole whom whose why will with within without would yes yet you your yours yourself
"""

STOP_WORDS = frozenset(map(fold, WORDS.split()))
"""The words, folded as the words of a text are."""
