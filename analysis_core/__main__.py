"""`python -m analysis_core`: the command line without an installed script."""

from __future__ import annotations

import sys

from analysis_core.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
