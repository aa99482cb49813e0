"""What a score would be by chance: draws from null models, and what the measures make of them."""

from goldassay.chance.level import with_chance

__all__ = ["with_chance"]
