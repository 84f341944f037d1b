"""Prints a random program and where the readers differ: `python -m tests.oracles.show NUMBER..`."""

from __future__ import annotations

import sys

from tests.oracles.agreement import examine
from tests.oracles.programs import program

if __name__ == "__main__":
    for number in map(int, sys.argv[1:]):
        print(program(number).text())
        outcome = examine(program(number))
        for (kind, result), count in sorted(outcome.counts.items()):
            print(f"{kind:10} {result:32} {count:5}")
        for difference in (*outcome.differences, *outcome.unknown):
            print(difference)
