"""`parse`: from a path to the syntax tree of its translation unit.

    bytes -> preprocess -> tokens -> split -> items -> (render -> tree-sitter -> read) each -> SyntaxTree

Items are read in source order, one at a time and apart from each other, so that what is broken in one cannot change
another; only the names it declares (types, values, templates) carry over.
"""

from __future__ import annotations

import tree_sitter

from analysis_core.support.facts import Cause
from analysis_core.support.files import Files
from analysis_core.support.settings import Settings
from analysis_core.syntax.concrete import make_parser
from analysis_core.syntax.environment import Names, declare
from analysis_core.syntax.preprocessor import preprocess
from analysis_core.syntax.repair import read_item
from analysis_core.syntax.reader import Unit, make_unit
from analysis_core.syntax.splitter import Item, split
from analysis_core.syntax.tree import Declaration, SyntaxTree


def parse(path: str, files: Files, settings: Settings, last_good: bytes | None = None) -> SyntaxTree:
    """The syntax tree of `path` with everything it includes.  Any bytes give a tree; nothing is raised.

    `last_good`: the text of `path` when it last parsed without problems; helps to repair a line that is being typed."""
    preprocessed = preprocess(path, files, settings)
    unit = make_unit(preprocessed.tokens)
    names = Names()
    parser = make_parser()
    declarations: list[Declaration] = []
    problems: list[Cause] = list(preprocessed.problems)
    for item in split(preprocessed.tokens, preprocessed.column):
        made, failed = _read(unit, item, names, parser)
        for declaration in made:
            declare(names, declaration)
        declarations.extend(made)
        problems.extend(failed)
    return SyntaxTree(
        main=path,
        declarations=tuple(declarations),
        dependencies=preprocessed.dependencies,
        missing=preprocessed.missing,
        problems=tuple(problems),
    )


def _read(
    unit: Unit, item: Item, names: Names, parser: tree_sitter.Parser
) -> tuple[tuple[Declaration, ...], list[Cause]]:
    return read_item(unit, item.start, item.end, item.scope, names, parser)
