"""What every family shares, and which knows no family."""
