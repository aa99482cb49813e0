"""What a score would be by chance: draws from null models, and what the measures make of them."""

from goldassay.chance.level import Draws, Hub, diagnose, draws_of, hubs, joined, moves, with_chance

__all__ = ["Draws", "Hub", "diagnose", "draws_of", "hubs", "joined", "moves", "with_chance"]
