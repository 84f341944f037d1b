"""`warpcost explain`: the cards that an editor shows for a line, and why a finding has its level; and every representation of a
file, so that a bug report is a file and one command."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from analysis_core.cli.render_text import place_text
from analysis_core.cli.runner_commands import no_command
from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import complain, printable
from analysis_core.cli.work import Task, one_task, unknown_kernel
from analysis_core.support.files import Files
from analysis_core.support.sources import Sources
from analysis_core.text.span import FileId, Span

if TYPE_CHECKING:
    from analysis_core.ir.nodes import Kernel
    from analysis_core.syntax.read.tree import SyntaxTree

Place = Callable[[Span, Sources], str]


def explain(args: Namespace) -> int:
    """Prints the stage, or the answers, asked for; returns the exit status."""
    task = one_task(args)
    if task is None:
        return BROKEN
    if args.kernel is not None and (unknown := unknown_kernel((task,))):
        complain(unknown)
        return BROKEN
    if args.line is not None:
        return _print_cards(task, args.line)
    if args.why is not None:
        from analysis_core.cli.explain_why import why_text

        for text in why_text(task, args.why):
            print(printable_lines(text), end="")
        return CLEAN
    stages: Sequence[str] = ("syntax", "ir", "events", "cost", "lp", "report") if args.stage == "all" else (args.stage,)
    for stage in stages:
        if args.stage == "all":
            print(f"== {stage}")
        for text in stage_text(task, stage):
            print(printable_lines(text), end="")
    return CLEAN


def _print_cards(task: Task, line: int) -> int:
    """Prints the cards of all that begins on a line, from 1."""
    from analysis_core.pipeline.pipeline import analyse_file
    from analysis_core.report.cards import cards_of

    files = task.files()
    report = analyse_file(task.path, files, task.settings, kernel=task.kernel, units=task.units)
    sources = Sources(files)
    index = sources.index(FileId(task.path))
    start, end = index.line_range(line) if 0 < line <= index.line_count else (0, 0)

    def where(span: Span) -> str:
        return place_text(span, sources)

    cards = cards_of(task.path, report, task.settings, start, end, where)
    for card in cards:
        text = printable(sources.text(card.span).partition("\n")[0])
        print(no_command(f"{where(card.span)}: {text}"), printable_lines(card.markdown), sep="\n\n", end="\n\n")
    if not cards:
        print(f"{printable(task.path)}:{line}: no kernel, access, branch, barrier or claim begins on this line")
    return CLEAN


def stage_text(task: Task, stage: str, place: Place = place_text, files: Files | None = None) -> Iterator[str]:
    """The dump of a stage, in parts that end with a newline. `place` spells where something stands; `files`: what is
    read, if not the task's own."""
    from analysis_core.pipeline.pipeline import analyse_file, load, read

    files = files or task.files()
    sources = Sources(files)
    if stage == "report":
        from analysis_core.report.dump import dump as dump_report

        report = analyse_file(task.path, files, task.settings, kernel=task.kernel, units=task.units)
        yield dump_report(report, lambda span: place(span, sources))
        return
    if stage == "syntax":
        from analysis_core.syntax.dump import dump as dump_syntax
        from analysis_core.syntax.lex.models import OWN, PREFIX, is_model

        tree = read(task.path, files, task.settings)
        yield tree.hidden.shown(dump_syntax(tree, files.read))
        yield from _chosen_headers(tree, task)
        for model in dict.fromkeys(declared.span.file for declared in tree.declarations):
            if is_model(model):
                yield f"model {printable(model.removeprefix(OWN).removeprefix(PREFIX))}: its header was not found, or is not read\n"
        return
    tree, module = load(task.path, files, task.settings, units=task.units)
    for kernel in module.kernels:
        if task.kernel is None or task.kernel in (kernel.name, kernel.instantiation):
            yield tree.hidden.shown(_kernel_text(kernel, task, stage, sources, place))


def _chosen_headers(tree: SyntaxTree, task: Task) -> Iterator[str]:
    """The headers that no build names a folder for, where in the project they were found."""
    for path in tree.dependencies:
        for root in task.settings.include_roots:
            name = path.removeprefix(f"{root}/")
            if name != path and any(sought.endswith(f"/{name}") for sought in tree.missing):
                yield f"header {printable(name)}: {printable(path)}, the nearest of that name in the project\n"
                break


def _kernel_text(kernel: Kernel, task: Task, stage: str, sources: Sources, place: Place) -> str:
    if stage == "ir":
        from analysis_core.ir.dump import dump as dump_ir

        return dump_ir(kernel, lambda span: _line(span, sources))
    from analysis_core.interp.interpret import interpret
    from analysis_core.profile.kernel_profile import profile_of
    from analysis_core.program.launch import choose_launches
    from analysis_core.report.spelled import with_texts
    from analysis_core.report.trip_names import named_by_line
    from analysis_core.requests.evaluate import evaluate
    from analysis_core.requests.events_dump import dump as dump_events

    if stage in ("cost", "lp"):
        from analysis_core.cli.explain_bounds import bounds_text

        return bounds_text(kernel, task.settings, stage, lambda span: place(span, sources))
    texts = []
    for launch in choose_launches(kernel, task.settings):
        events = interpret(kernel, launch, task.settings)
        profile = profile_of(kernel, launch, events, evaluate(kernel, launch, events), task.settings)
        facts = with_texts(named_by_line(profile, sources.line), sources).facts
        places = (
            lambda span: place(span, sources),
            lambda span: (span.file, sources.line(span), _line(span, sources)),
        )
        texts.append(dump_events(events, kernel, facts, *places))
    return "".join(texts)


def _line(span: Span, sources: Sources) -> str:
    if not sources.is_shown(span.file):
        return sources.text(span)
    index = sources.index(span.file)
    return index.line_text(index.line_of(span.start))


def printable_lines(text: str) -> str:
    """Printable text, with its line ends kept."""
    return "\n".join(no_command(printable(line)) for line in text.split("\n"))
