"""The page of a case discussion: its tree, its cases with their bounds, and the text of each variant.  It holds no script and asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from html import escape

from analysis_core.case_discussion.discuss import Discussion
from analysis_core.case_discussion.tree import Leaf, Node, Variant
from analysis_core.cli.terminal import printable

_STYLE = """body { font: 15px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color-scheme: light dark; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .8em; border: 1px solid #8886; border-radius: 6px; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .25em 1em .25em 0; border-bottom: 1px solid #8884; }
ul.tree, ul.tree ul { list-style: none; margin: 0; padding-left: 1.4em; border-left: 1px solid #8888; }
ul.tree { border: 0; padding: 0; } ul.tree li { margin: .25em 0; }
.leaf { font-weight: 600; } .none { color: #b33; } .how { opacity: .7; }
"""


def cases_page(
    found: Discussion, head: list[str], rows: list[tuple[str, str, str]], outcome: Mapping[int, str], text: bytes
) -> str:
    """`head`: what is said of the whole; `rows`: of each case its constraints, its outcome and what a warp pays; `outcome` of leaves by `id`;
    `text`: the file's."""
    name = escape(printable(found.kernel.name))
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>warpcost: cases of {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Cases of <code>{name}</code></h1>\n",
        *(f"<p>{escape(printable(line))}</p>\n" for line in head),
        '<h2>Decisions</h2>\n<ul class="tree">\n',
        *_tree(found.tree, "", outcome),
        "</ul>\n<h2>Cases</h2>\n<table>\n<tr><th>#</th><th>where</th><th>variant</th><th>each warp pays</th></tr>\n",
        *(
            f"<tr><td>{n}</td><td><code>{_said(when)}</code></td><td>{_said(then)}</td><td>{_said(pays)}</td></tr>\n"
            for n, (when, then, pays) in enumerate(rows, 1)
        ),
        "</table>\n<h2>Variants</h2>\n",
        *_texts(found, text),
        "</body>\n</html>\n",
    ]
    return "".join(parts)


def _said(text: str) -> str:
    return escape(printable(text))


def _tree(node: Node, how: str, outcome: Mapping[int, str]) -> Iterator[str]:
    """Each choice with what holds and what does not below it; as deep as there are decisions."""
    before = f'<span class="how">{_said(how)}</span> ' if how else ""
    if isinstance(node, Leaf):
        kind = "leaf none" if node.variant is None else "leaf"
        yield f'<li>{before}<span class="{kind}">{_said(outcome[id(node)])}</span></li>\n'
        return
    yield f"<li>{before}<code>{_said(node.constraint.text)}</code>\n<ul>\n"
    yield from _tree(node.accepted, "yes:", outcome)
    yield from _tree(node.refused, "no:" if node.strategy is None else f"no, {node.strategy.text}:", outcome)
    yield "</ul></li>\n"


def _texts(found: Discussion, text: bytes) -> Iterator[str]:
    """The kernel's text below the macros that a variant sets; told once for each variant of a case."""
    kernel = text[found.kernel.span.start : found.kernel.span.end].decode("utf-8", "replace")
    variants = dict.fromkeys(one.variant for one in found.cases if one.variant is not None)
    for variant in variants:
        yield f"<h3>{_said(found.label(variant))}</h3>\n<pre>{_said_lines(_macros(found, variant) + kernel)}</pre>\n"


def _macros(found: Discussion, variant: Variant) -> str:
    values = {**found.symbols, **dict(variant.values)}
    return "".join(
        f"#define {one.name} {values[one.name]}\n" for one in found.parameters if one.is_macro and one.name in values
    )


def _said_lines(text: str) -> str:
    return "\n".join(_said(line) for line in text.expandtabs(4).splitlines())
