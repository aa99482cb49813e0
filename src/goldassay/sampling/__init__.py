"""Scoring without gold: items are drawn by a design, people label them, and precision is estimated with an interval."""
