"""How many examples a test draws: what the profile says, or a multiple of it, so that `make fuzz` draws more of all."""

from hypothesis import settings


def times(factor, **others):
    """Draw several times as many as other tests, where a failure hides in few of many cases."""
    return settings(max_examples=factor * settings.default.max_examples, **others)
