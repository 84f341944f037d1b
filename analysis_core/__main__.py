"""`python -m analysis_core`: the command line without an installed script."""

import sys

from analysis_core.isolation import keep_out_working_folder

if __name__ == "__main__":
    keep_out_working_folder()  # Before anything is imported that a file of the working folder may be named like.

from analysis_core.main import main

if __name__ == "__main__":
    sys.exit(main())
