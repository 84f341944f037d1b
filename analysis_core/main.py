"""The entry point: reads the command line and never shows a traceback.

Whatever goes wrong ends in one line on standard error and a status: 2 for wrong use and for our own bugs (run again
with `--debug` to see where), 130 for Ctrl-C.  A reader that closes the pipe early (`| head`) is no error.  Everything but this
module is imported where that holds already.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import NoReturn

from analysis_core import isolation
from analysis_core.cli.statuses import BROKEN, CLEAN, INTERRUPTED


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `warpcost` with these arguments (the process's own by default); returns the exit status."""
    if argv is None:
        isolation.keep_out_working_folder()
    try:
        _prepare_streams()
        status = _guarded(argv)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _forget_output()
        return CLEAN
    except OSError as error:
        _forget_output()
        return _failed(error)
    except KeyboardInterrupt:
        print("warpcost: interrupted", file=sys.stderr)
        return INTERRUPTED


def _prepare_streams() -> None:
    """Output that is closed goes nowhere; text that a stream's encoding does not have is escaped."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - as long as the process
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Python flushes standard output once more at exit; that must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(error: OSError) -> int:
    name = f"{error.filename}: " if error.filename else ""
    print(f"warpcost: {name}{error.strerror or error}", file=sys.stderr)
    return BROKEN


def _guarded(argv: Sequence[str] | None) -> int:
    """The command, with every exception but the end of a pipe and Ctrl-C turned into one line."""
    from analysis_core.cli.options import UnreadableConfig, parser
    from analysis_core.cli.work import logging_for
    from analysis_core.workspace.memory import collect_rarely

    top = parser()
    args = top.parse_args(argv)
    if args.command is None:
        top.print_help()
        return CLEAN
    logging_for(args.debug)
    collect_rarely(file_after_file=True)
    try:
        return _run(args)
    except BrokenPipeError:
        raise
    except UnreadableConfig as error:
        print(f"warpcost: {error}", file=sys.stderr)
    except OSError as error:
        return _failed(error)
    except Exception as error:
        if args.debug:
            import traceback

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
        case "diff":
            from analysis_core.cli.diff.command import diff

            return diff(args)
        case "explain":
            from analysis_core.cli.explain import explain

            return explain(args)
        case "report":
            from analysis_core.cli.report import report_command

            return report_command(args)
        case "counters":
            from analysis_core.cli.counters import counters_command

            return counters_command(args)
        case "compare-profile":
            from analysis_core.cli.compare_profile import compare_profile

            return compare_profile(args)
        case "stats":
            from analysis_core.cli.stats import stats

            return stats(args)
        case "simulate":
            from analysis_core.cli.simulate import simulate_command

            return simulate_command(args)
        case "advise":
            from analysis_core.cli.advise import advise

            return advise(args)
        case "refactor":
            from analysis_core.cli.refactor.command import refactor

            return refactor(args)
        case "cases":
            from analysis_core.cli.cases import cases

            return cases(args)
        case "rule":
            from analysis_core.cli.rule import rule

            return rule(args)
        case "lsp":
            return _serve(args.log_file)
        case _:
            raise AssertionError(f"no command {args.command}")


def _serve(log_file: str | None) -> NoReturn:
    from lsp_server.server import main as serve

    serve(log_file)


if __name__ == "__main__":
    sys.exit(main())
