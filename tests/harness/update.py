"""`pytest --update`: brings messages and numbers in fixtures up to date, for a person to read as a diff.

It never adds or drops a `!`, and what a `!` claims in numbers it leaves alone, since that was worked out apart from the
analysis: only wording with the same numbers is replaced there.  A finding that nobody claimed gets a new line without `!`.
"""

from __future__ import annotations

import re

from tests.harness.annotations import LEVELS, Claim, Fixture
from tests.harness.check import Observed, SeenFinding, claims_finding, differences

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORDS = {level: word for word, level in LEVELS.items()}


def headline(message: str) -> str:
    """The part of a message that a fixture quotes: up to the first semicolon or quotation mark."""
    return re.split('[;"]', message)[0].strip()


def with_value(line: str, key: str, value: str) -> str:
    """The line with another value for `key`, quoted where it was or where it has to be."""
    old = re.search(rf'\b{key}=("[^"]*"|\S+)', line)
    if old is None:
        return line
    shown = f'"{value}"' if old[1].startswith('"') or " " in value else value
    return line[: old.start(1)] + shown + line[old.end(1) :]


def updated_line(claim: Claim, line: str, fixture: Fixture, seen: Observed) -> str:
    """The claim's comment with the text and the numbers of today, or as it is."""
    if claim.word in LEVELS or claim.word == "todo":
        found = [f for f in seen.findings if claims_finding(claim, f, fixture)]
        if claim.text is None or not found or any(claim.text in f.message for f in found):
            return line
        new = headline(found[0].message)
        if claim.certain and _NUMBER.findall(new)[:1] != _NUMBER.findall(claim.text)[:1]:
            return line
        return line.replace(f'"{claim.text}"', f'"{new}"')
    if claim.word not in ("access", "branch") or claim.certain:
        return line
    facts = [
        fact
        for kernel in seen.kernels
        for fact in (kernel.accesses if claim.word == "access" else kernel.branches)
        if (fact.start, fact.end) == (claim.start, claim.end)
    ]
    if not facts or any(not list(differences(claim, fact.values)) for fact in facts):
        return line
    for key in claim.values:
        if key in facts[0].values:
            line = with_value(line, key, facts[0].values[key])
    return line


def new_claim(finding: SeenFinding, fixture: Fixture) -> str | None:
    """A comment that claims the finding, or None where no caret can stand below it (under the `//`)."""
    start = fixture.lines[fixture.line_of(finding.start) - 1]
    column = finding.start - start
    width = min(finding.end, fixture.line_end(finding.start)) - finding.start
    if column < 2 or width < 1:
        return None
    carets = "//" + " " * (column - 2) + "^" * width
    return f'{carets} {_WORDS.get(finding.level, "hint")}[{finding.code}] "{headline(finding.message)}"'


def update(fixture: Fixture, seen: Observed) -> str:
    """The fixture's text as `--update` leaves it."""
    lines = fixture.text.split("\n")
    for claim in fixture.claims:
        lines[claim.line - 1] = updated_line(claim, lines[claim.line - 1], fixture, seen)
    asserting = [claim for claim in fixture.claims if claim.word in LEVELS or claim.word == "todo"]
    fresh = [f for f in seen.findings if not any(claims_finding(claim, f, fixture) for claim in asserting)]
    for finding in sorted(fresh, key=lambda f: f.start, reverse=True):
        comment = new_claim(finding, fixture)
        if comment is not None:
            lines.insert(fixture.line_of(finding.start), comment)
    return "\n".join(lines)
