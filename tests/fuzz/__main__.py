"""``python -m tests.fuzz``: see ``fuzzing.py``."""

import sys

from tests.fuzz.fuzzing import main

if __name__ == "__main__":
    sys.exit(main())
