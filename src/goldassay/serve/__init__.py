"""What is shown in a browser: the local page, and the leaderboard of a challenge; nothing below imports it."""
