"""`python -m lsp_server`: the server on its own, for editors that start it without the command line."""

import os
import sys

if __name__ == "__main__":  # Before anything is imported that a file of the working folder may be named like.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from analysis_core.isolation import keep_out_working_folder

    del sys.path[0]
    keep_out_working_folder()

import argparse
import gc
from collections.abc import Sequence
from typing import NoReturn

gc.disable()  # Until all is loaded: what modules make stays, and the search for cycles in it takes as long as some of them.

from analysis_core.support.version import VERSION  # noqa: E402
from lsp_server.server import main  # noqa: E402


def run(argv: Sequence[str] | None = None) -> NoReturn:
    """Reads the options and serves until the client leaves."""
    options = argparse.ArgumentParser(prog="warpcost lsp", description="The language server of warpcost.")
    options.add_argument("--stdio", action="store_true", help="talk over standard input and output (the only way)")
    options.add_argument("--log-file", metavar="FILE", help="append the log to FILE instead of standard error")
    options.add_argument("--version", action="version", version=f"warpcost {VERSION}")
    args = options.parse_args(argv)
    main(args.log_file)


if __name__ == "__main__":
    run()
