"""Code that all families share; it imports none of them."""
