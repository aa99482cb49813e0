"""Whether an installation computes what it should, and whether a measure separates good from bad on a gold standard."""

from goldassay.selfcheck.installation import Check, Fitness, check_installation, fitness, machine

__all__ = ["Check", "Fitness", "check_installation", "fitness", "machine"]
