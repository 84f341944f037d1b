"""The command line: which commands and options there are, and what they make of the settings."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NoReturn, TypeVar

from analysis_core.cli.formats import FORMATS
from analysis_core.report.findings.model import Level
from analysis_core.support.settings import Settings
from analysis_core.support.spelling import did_you_mean
from analysis_core.support.version import VERSION
from analysis_core.workspace.settings_file import (
    NamedDatabase,
    SettingsFile,
    dimensions_of,
    find_settings,
    laid_over,
    read_settings,
    with_model_files,
)
from analysis_core.workspace.values import (
    BadValue,
    argument_of,
    block_of,
    cc_of,
    condition_of,
    count_of,
    define_of,
    grid_of,
    registers_of,
    setting_of,
)

T = TypeVar("T")

STAGES = ("syntax", "ir", "events", "cost", "lp", "report", "all")

STATUSES = """exit status:
  0    no finding at or above the level of --fail-on (default: warning)
  1    at least one; with --diff: something to fix
  2    wrong use, a file that cannot be read, or an internal error; what could be analysed is still reported
  130  interrupted
"""


DIFF_STATUSES = """exit status:
  0    nothing that --fail-on names (default: never)
  1    with --fail-on regression: a bound is larger (also for some sizes only) or lost, or a warning or an error is new;
       with --fail-on finding: a warning or an error is new; with --fail-on change: anything is different
  2    wrong use, a side that cannot be read, or an internal error; what could be compared is still shown
  130  interrupted
"""


INSIDE = """for developers, and for bug reports:
    explain --stage S   what a stage of the analysis made of a file
    simulate            run a kernel in lock step and count what every warp pays
    stats               times, kernels, and what was not understood
"""


def parser() -> argparse.ArgumentParser:
    """The whole command line.  Options that are wrong end the program with status 2, as argparse does."""
    top = _Parser(
        prog="warpcost",
        description="What each CUDA warp pays: sectors, bank conflicts, divergence. Needs no GPU and no CUDA toolkit.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=INSIDE,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    top.add_argument("--debug", action="store_true", help="print tracebacks of internal errors to standard error")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    check = commands.add_parser(
        "check", help="report findings in files and directories", formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=STATUSES,
    )  # fmt: skip
    _check_options(check)

    _diff_options(
        commands.add_parser(
            "diff",
            help="hold the bounds and findings of two folders, files or revisions against each other",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            epilog=DIFF_STATUSES,
        )
    )

    _explain_options(
        commands.add_parser("explain", help="show the cards of a line, or why its findings have their level")
    )

    report = commands.add_parser("report", help="write a page with the bounds, charts and costs of a file's kernels")
    report.add_argument("file", metavar="FILE")
    report.add_argument("-o", "--output", metavar="PAGE.html", help="where the page goes (default: standard output)")
    _analysis_options(report)

    _add_tuning(commands)
    _add_cases(commands)
    _add_counters(commands)

    # Without a help of its own, a command stands in the last section alone.
    stats = commands.add_parser("stats", description="Times, kernels, and what was not understood.")
    stats.add_argument(
        "paths", nargs="*", metavar="PATH", default=["."], help="as in check; default: the current directory"
    )
    stats.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    _analysis_options(stats)

    simulate = commands.add_parser(
        "simulate", description="Runs a kernel in lock step and counts what every warp pays."
    )
    simulate.add_argument("file", metavar="FILE")
    _simulation_options(simulate)

    _add_rule_and_server(commands)
    return top


def _add_rule_and_server(commands: argparse._SubParsersAction[_Parser]) -> None:
    rule = commands.add_parser(
        "rule",
        help="list the rules, or print the page of one: WC101, bank-conflict; or levels, settings, models, assumptions",
    )
    rule.add_argument("code", metavar="CODE", nargs="?")

    lsp = commands.add_parser("lsp", help="run the language server")
    lsp.add_argument("--stdio", action="store_true", help="talk over standard input and output (the default)")
    lsp.add_argument("--log-file", metavar="FILE", help="append the log to FILE instead of standard error")
    lsp.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")


def _add_counters(commands: argparse._SubParsersAction[_Parser]) -> None:
    counters = commands.add_parser("counters", help="predict the profiler's counters, to be held against a profile")
    compare = commands.add_parser(
        "compare-profile", help="show predicted counters beside those of a profiler's CSV export"
    )
    for command in (counters, compare):
        command.add_argument("file", metavar="FILE")
        command.add_argument("--format", choices=("text", "json"), default="text")
        _analysis_options(command)
    compare.add_argument("exports", metavar="REPORT.csv", nargs="+", help="of ncu --csv: page raw, details, or source")


def _add_tuning(commands: argparse._SubParsersAction[_Parser]) -> None:
    """What changes a kernel so that it pays less."""
    _advise_options(
        commands.add_parser("advise", help="show what the kernels of a file would pay with other block shapes")
    )
    _refactor_options(
        commands.add_parser("refactor", help="rewrite a kernel so that it pays less, checked before it is done")
    )


def _advise_options(advise: argparse.ArgumentParser) -> None:
    add = advise.add_argument
    add("file", metavar="FILE")
    add(
        "--registers",
        type=_typed(count_of),
        metavar="N",
        help="registers of a thread, as ptxas says; default: an estimate",
    )
    add("--all", action="store_true", help="all shapes, not only the best ones")
    add("--format", choices=("text", "json"), default="text")
    _analysis_options(advise)


def _refactor_options(refactor: argparse.ArgumentParser) -> None:
    add = refactor.add_argument
    add("file", metavar="FILE")
    add("--action", metavar="NAME", help="what to do; --list says what may be done where")
    add("--line", type=_typed(count_of), metavar="N", help="the line of the loop, access or kernel")
    add("--factor", type=_typed(count_of), metavar="K", help="rounds that are unrolled or merged, threads, elements")
    add("--name", action="append", metavar="NAME", help="the array, place or kernel that is meant; may be repeated")
    add("--rounding", action="store_true", help="floating point operations may be done in another order")
    add("--list", action="store_true", help="list what may be done where, with its gain, and what is refused")
    add(
        "--plan",
        nargs="?",
        const="",
        metavar="ACTION,..",
        help="list what would be gained by one after the other, the greatest gain first, or by a chain of actions",
    )
    how = refactor.add_mutually_exclusive_group()
    how.add_argument("--diff", action="store_true", help="print a patch (default)")
    how.add_argument("--write", action="store_true", help="edit the file")
    add("--format", choices=("text", "json"), default="text")
    _analysis_options(refactor)


def _add_cases(commands: argparse._SubParsersAction[_Parser]) -> None:
    cases = commands.add_parser("cases", help="show which variant of a kernel, by its macros, fits into which machine")
    add = cases.add_argument
    add("file", metavar="FILE")
    add("--device", metavar="NAME", help="a GPU (A100, RTX 4090) or a compute capability in place of an open machine")
    add("--resources", type=_resources, default="TZR", metavar="T,Z,R",
        help="those that count: threads of a block, words of shared memory, registers; default: all")  # fmt: skip
    add("--registers", type=_typed(registers_of), action="append", default=[], metavar="[MACRO=INT,..:]N",
        help="registers of a thread of all variants with these values, as ptxas says; may be repeated")  # fmt: skip
    add("--rewrite", action="append", default=[], choices=("subexpressions", "launch-bounds"),
        help="also try: indices that are computed once; __launch_bounds__, with which the compiler spills registers")  # fmt: skip
    add("--at", type=_typed(setting_of), action="append", default=[], metavar="NAME=INT",
        help="ask which case holds at these values; may be repeated")  # fmt: skip
    add("--page", metavar="PAGE.html", help="write a page with the tree, the cases and the text of each variant")
    add("--header", metavar="OUT.cuh", help="write all variants, and a dispatcher that asks the device, as a header")
    add("--format", choices=("text", "json"), default="text")
    _analysis_options(cases)


def _resources(text: str) -> str:
    names = text.replace(",", "").replace(" ", "")
    if not names or set(names) - set("TZR"):
        raise argparse.ArgumentTypeError(f"'{text}' names other resources than T, Z and R")
    return names


def _check_options(check: argparse.ArgumentParser) -> None:
    check.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="file, directory (searched for .cu, .cuh, and headers with kernels), or - for stdin; default: the current directory",
    )
    check.add_argument("--format", choices=FORMATS, default="text")
    check.add_argument(
        "--fail-on", choices=("hint", "information", "warning", "error", "never"), default="warning", metavar="LEVEL",
        help="exit with 1 at findings of this level or louder: hint, information, warning (default), error, never",
    )  # fmt: skip
    check.add_argument(
        "--equivalent",
        nargs=2,
        metavar="FILE:KERNEL",
        help="prove two kernels equal, or run them on small shapes and compare what they leave in memory",
    )
    check.add_argument(
        "--expect-only",
        action="store_true",
        help="report nothing but cost contracts (`//@ expect`): which hold, and which do not",
    )
    check.add_argument("--baseline", metavar="FILE", help="leave out the findings that this file lists")
    check.add_argument(
        "--update-baseline",
        action="store_true",
        help="write all present findings to the file of --baseline, and exit with 0",
    )
    fixes = check.add_mutually_exclusive_group()
    fixes.add_argument(
        "--fix", action="store_true", help="apply the fixes that editors offer, then report what is left"
    )
    fixes.add_argument(
        "--diff",
        action="store_true",
        help="print what --fix would change, as a patch; exit with 1 if that is something",
    )
    _analysis_options(check)


def _diff_options(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("base", metavar="BASE", nargs="?",
        help="a folder, a file, or a revision of git: main, HEAD~2, 3fa9c1d; main..topic for both; main...topic: since they parted")  # fmt: skip
    add("head", metavar="HEAD", nargs="?", help="the same after the change; default: the working tree")
    add(
        "--only", action="append", default=[], metavar="PATH", help="compare this file or folder alone; may be repeated"
    )
    add("--base-json", metavar="FILE", help="what `check --format json` printed before, in place of BASE")
    add("--format", choices=("text", "markdown", "json", "sarif"), default="text",
        help="markdown: for a comment on a pull request; sarif: the findings that are new")  # fmt: skip
    add("--fail-on", choices=("regression", "finding", "change", "never"), default="never", metavar="WHAT",
        help="exit with 1 at a regression, a finding that is new, or any change; default: never")  # fmt: skip
    _analysis_options(command)


def _simulation_options(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--arg", type=_typed(argument_of), action="append", default=[], metavar="NAME=VALUE", dest="arguments",
        help="n=1024; for a pointer EXTENTS[:FILL] (a=n*n:iota, a=64:random:7), [1,2,3], file:x.npy or @other")  # fmt: skip
    add("--args", metavar="FILE", help="arguments from a JSON or NPZ file")
    add("--shared", type=_typed(count_of), metavar="BYTES", help="dynamic shared memory of a block")
    add("--rounds", type=_typed(count_of), metavar="N", default=10_000_000,
        help="how often loops may go round before the run gives up")  # fmt: skip
    add("--output", action="append", default=[], metavar="NAME", help="show this array afterwards; may be repeated")
    add("--save", metavar="FILE.npz", help="write the arrays of --output there instead")
    add("--format", choices=("text", "json"), default="text")
    add("--check-overflow", action="store_true", help="also report signed overflow (slower)")
    add("--compare", action="store_true", help="show the analysis' bounds beside what was observed, line by line")
    _analysis_options(command)
    command.set_defaults(block=(256, 1, 1), grid=(1, 1, 1))


def _explain_options(explain: argparse.ArgumentParser) -> None:
    explain.add_argument("file", metavar="FILE")
    shown = explain.add_mutually_exclusive_group()
    shown.add_argument(
        "--stage", choices=STAGES, default="report", help="the representation, with the source beside (default: report)"
    )
    shown.add_argument(
        "--line",
        metavar="LINE",
        type=_typed(count_of),
        help="the cards that an editor shows for what begins on a line",
    )
    shown.add_argument(
        "--why",
        metavar="LINE",
        type=_typed(count_of),
        help="what was asked about the accesses and branches of a line, and what came of it",
    )
    _analysis_options(explain)


def _analysis_options(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--kernel", metavar="NAME", help="only kernels of this name")
    add("--block", type=_typed(block_of), metavar="X,Y,Z", help="analyse every kernel with this block shape")
    add("--grid", type=_typed(grid_of), metavar="X,Y,Z", help="the same for the grid")
    add("--set", type=_typed(setting_of), action="append", default=[], metavar="NAME=INT", dest="values",
        help="value of an integer parameter; may be repeated")  # fmt: skip
    add("--assume", type=_typed(condition_of), action="append", default=[], metavar="COND",
        help="a condition as in `//@ assume`, of every kernel with such parameters; may be repeated")  # fmt: skip
    add("--cc", type=_typed(cc_of), metavar="9.0", help="compute capability, 6.0 or later")
    add("-D", type=_typed(define_of), action="append", default=[], metavar="NAME=VAL", dest="defines")
    add("-I", action="append", default=[], metavar="DIR", dest="includes", help="where includes are looked for")
    add("--default-block", type=_typed(block_of), action="append", default=[], metavar="X,Y,Z",
        help="shape to assume where none is known; one for each number of dimensions")  # fmt: skip
    add("--hints", action="store_true",
        help="also report what only memory contents decide, and what a program does not notice")  # fmt: skip
    add("--exclude", action="append", default=[], metavar="GLOB", help="files and directories to leave out")
    add("--jobs", type=_jobs, default=1, metavar="N", help="processes to use; 0: one per processor")
    add("--compile-commands", metavar="PATH",
        help="compilation database to use instead of the nearest one")  # fmt: skip
    add("--config", metavar="FILE", help="settings file to use instead of the nearest one")
    add("--no-config", action="store_true", help="use no settings file and no compilation database")
    # Also before the command; not set here unless given, so that it does not undo that one.
    add("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


class _Parser(argparse.ArgumentParser):
    """Says of a word that it does not know which one was probably meant."""

    def error(self, message: str) -> NoReturn:
        unknown = re.search(r"unrecognized arguments: .*?(--[\w-]+)|invalid choice: '([^']*)'", message)
        if unknown is not None:
            word = unknown[1] or unknown[2]
            message += did_you_mean(
                word, (name for name in self.words() if name.startswith("-") == word.startswith("-"))
            )
        # Not the usage, which may take ten lines that hide this one.
        self.exit(2, f"{self.prog}: {message}\ntry: {self.prog} --help\n")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As argparse does, but a command itself complains about what it does not know."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest

    def words(self) -> Iterator[str]:
        """Options, and the values that they are chosen from, of the parser and of its commands."""
        for action in self._actions:
            yield from action.option_strings
            yield from map(str, action.choices or ())
            if isinstance(action, argparse._SubParsersAction):
                for command in action.choices.values():
                    yield from command.words()


class _Version(argparse.Action):
    """Looks the version up only when asked: package metadata are slow to read."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        print(f"warpcost {VERSION}")
        parser.exit()


def _typed(read: Callable[[str], T]) -> Callable[[str], T]:
    """A reader of values as argparse wants it."""

    def convert(text: str) -> T:
        try:
            return read(text)
        except BadValue as bad:
            raise argparse.ArgumentTypeError(str(bad)) from None

    return convert


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 4 or int(text) > 1024:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes")
    return int(text) or os.cpu_count() or 1


class UnreadableConfig(Exception):
    """`--config` names a file that cannot be read; the text says why."""


def settings_in(folder: str, args: argparse.Namespace) -> SettingsFile:
    """The settings for files of `folder`: the settings file's, overridden by the options."""
    if args.no_config:
        found = SettingsFile(None, Settings(), compile_commands=NamedDatabase(None))
    elif args.config is not None:
        try:
            with open(args.config, "rb") as file:
                data = file.read()
        except OSError as error:
            raise UnreadableConfig(f"cannot read {args.config}: {error.strerror or error}") from None
        found = with_model_files(read_settings(args.config, data, Settings(), own=True), data)
    else:
        found = find_settings(folder, Settings())
    if args.compile_commands is not None:
        found = replace(found, compile_commands=NamedDatabase(args.compile_commands))
    if "laid_over" in args:  # Settings that a program hands over (analysis_core/api.py).
        found = laid_over(found, args.laid_over)
    keys = found.keys if args.cc is None else found.keys | {"compute_capability"}
    return replace(found, settings=_overridden(found.settings, args), keys=keys)


def _overridden(settings: Settings, args: argparse.Namespace) -> Settings:
    shapes = list(settings.default_blocks)
    for shape in args.default_block:
        shapes[dimensions_of(shape) - 1] = shape
    return replace(
        settings,
        block=args.block or settings.block,
        grid=args.grid or settings.grid,
        default_blocks=tuple(shapes),
        assume=(*settings.assume, *args.assume),
        values={**settings.values, **dict(args.values)},
        hints=args.hints or settings.hints,
        defines={**settings.defines, **dict(args.defines)},
        include_paths=(*args.includes, *settings.include_paths),
        compute_capability=args.cc or settings.compute_capability,
    )


def fails(levels: Sequence[Level], threshold: str) -> bool:
    """Whether one of these levels is at least `threshold` ("never": none is)."""
    return threshold != "never" and any(level.rank >= Level(threshold).rank for level in levels)
