"""The entry point: reads the command line and never shows a traceback.

Whatever goes wrong ends in one line on standard error and a status: 2 for wrong use and for our own bugs (run again
with `--debug` to see where), 130 for Ctrl-C.  A reader that closes the pipe early (`| head`) is no error.
"""

from __future__ import annotations

import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence
from typing import NoReturn

from analysis_core.cli.memory import collect_rarely
from analysis_core.cli.options import BROKEN, CLEAN, INTERRUPTED, UnreadableConfig, parser
from analysis_core.cli.work import logging_for


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `warpcost` with these arguments (the process's own by default); returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Source text may hold what the terminal's encoding does not.
            stream.reconfigure(errors="backslashreplace")
    try:
        args = parser().parse_args(argv)
        logging_for(args.debug)
        collect_rarely()
        status = _guarded(args)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Python flushes standard output once more at exit; that must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    except KeyboardInterrupt:
        print("warpcost: interrupted", file=sys.stderr)
        return INTERRUPTED


def _guarded(args: Namespace) -> int:
    """The command, with every other exception turned into one line."""
    try:
        return _run(args)
    except BrokenPipeError:
        raise
    except UnreadableConfig as error:
        print(f"warpcost: {error}", file=sys.stderr)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"warpcost: {name}{error.strerror or error}", file=sys.stderr)
    except Exception as error:
        if args.debug:
            traceback.print_exc()
        text = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        print(
            f"warpcost: internal error ({text}); run with --debug for a traceback, and please report it",
            file=sys.stderr,
        )
    return BROKEN


def _run(args: Namespace) -> int:
    """Imports the command's module and runs it: nobody pays for commands that are not used."""
    match args.command:
        case "check":
            from analysis_core.cli.check import check

            return check(args)
        case "explain":
            from analysis_core.cli.explain import explain

            return explain(args)
        case "report":
            from analysis_core.cli.report import report_command

            return report_command(args)
        case "stats":
            from analysis_core.cli.stats import stats

            return stats(args)
        case "simulate":
            from analysis_core.cli.simulate import simulate_command

            return simulate_command(args)
        case "rule":
            from analysis_core.cli.rule import rule

            return rule(args)
        case "lsp":
            return _serve()
        case _:
            raise AssertionError(f"no command {args.command}")


def _serve() -> NoReturn:
    from lsp_server.server import main as serve

    serve()


if __name__ == "__main__":
    sys.exit(main())
