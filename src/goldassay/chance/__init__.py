"""What a score would be by chance: draws from null models, and what the measures make of them."""

from goldassay.chance.level import Draws, Hub, add_chance, concat_draws, diagnose, draws_of, hubs, moves
from goldassay.chance.separation import SEPARATES, explain_not_separated

__all__ = [
    "SEPARATES",
    "Draws",
    "Hub",
    "add_chance",
    "concat_draws",
    "diagnose",
    "draws_of",
    "explain_not_separated",
    "hubs",
    "moves",
]
