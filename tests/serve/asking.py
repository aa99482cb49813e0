"""Requests to a server in a process of its own."""

import httpx2 as httpx
from tests.report.pages import LONGEST

client = httpx.Client(timeout=LONGEST, limits=httpx.Limits(max_keepalive_connections=0))
"""One for all: a new one reads the certificates of the system, for twenty times as long as a question takes. It keeps no connection."""
OFTEN = 0.1
"""Seconds between questions whether a result is there: each takes time from the worker that makes it."""
