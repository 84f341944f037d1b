"""Looks for inputs that break the analysis: `python -m tests.fuzz [--seconds S | --inputs N] [--seed K] [--keep]`.

A fault is an exception, more than 10 s of processor time, or more than 512 MB.  Each is printed once, made small; with `--keep` it is written to the
corpus.  Inputs are kept that make calls which none before made; `python -m tests.fuzz.guided` is guided by lines and comparisons.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.campaign import CORPUS, Campaign, corpus, name_of, smaller, written
from tests.fuzz.one_input import Outcome, warmed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--inputs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    warmed()
    return _own(options)


def _own(options: argparse.Namespace) -> int:
    campaign = Campaign(corpus(), [*corpus(), *written()], options.seed)
    began, count, found, slowest = time.monotonic(), 0, dict[str, bytes](), 0.0
    for data, outcome in campaign.inputs():
        count += 1
        slowest = max(slowest, outcome.seconds)
        if outcome.failure is not None:
            _tell(data, outcome, found, options.keep)
        if count >= options.inputs if options.inputs is not None else time.monotonic() - began > options.seconds:
            break
    print(
        f"{count} inputs, {len(campaign.kept)} kept, {len(campaign.known)} calls, slowest {slowest:.1f} s, {len(found)} faults"
    )
    return 1 if found else 0


def _tell(data: bytes, outcome: Outcome, found: dict[str, bytes], keep: bool) -> None:
    assert outcome.failure is not None
    name = outcome.failure.partition("\n")[0]
    if name in found:
        return
    found[name] = small = smaller(data, outcome.failure)
    print(
        f"== {outcome.failure}\n   {outcome.seconds:.1f} s, {outcome.resident >> 20} MB; {len(small)} bytes:\n{small.decode('utf-8', 'backslashreplace')}",
        flush=True,
    )
    if keep:
        (CORPUS / name_of(small)).write_bytes(small)


if __name__ == "__main__":
    sys.exit(main())
