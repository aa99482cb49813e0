"""What a score would be by chance: draws from null models, and what the measures make of them."""

from goldassay.chance.level import Draws, Hub, diagnose, draws_of, hubs, joined, moves, with_chance
from goldassay.chance.separation import SEPARATES, why_not_separated

__all__ = [
    "SEPARATES",
    "Draws",
    "Hub",
    "diagnose",
    "draws_of",
    "hubs",
    "joined",
    "moves",
    "why_not_separated",
    "with_chance",
]
