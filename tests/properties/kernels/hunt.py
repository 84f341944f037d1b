"""Many seeds from a command line: `python -m tests.properties.kernels.hunt FIRST COUNT [KIND]`.

Prints each disagreement with its smallest kernel, and a tally of what was seen.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter

from tests.properties.kernels.comparison import NotRead, Tally, examine
from tests.properties.kernels.generator import program
from tests.properties.kernels.printing import print_program
from tests.properties.kernels.shrinking import shrink
from tests.properties.kernels.syntax import Program


def kinds_of(p: Program) -> frozenset[str]:
    """The kinds of disagreement that a kernel shows; an error counts as one."""
    try:
        return frozenset(v.kind for v in examine(p, None, 400))
    except NotRead:
        return frozenset({"unread"})
    except (KeyError, StopIteration):
        return frozenset()  # a name lost its declaration while shrinking
    except Exception as error:
        return frozenset({f"error {type(error).__name__}"})


def main(first: int, count: int, most: int) -> None:
    tally, kinds, shown = Tally(), Counter[str](), 0
    started = time.monotonic()
    for seed in range(first, first + count):
        p = program(seed)
        try:
            found = examine(p, tally)
            wrong = {v.kind for v in found}
        except NotRead as error:
            found, wrong = [], {"unread"}
            print(f"seed {seed}: not read: {error}")
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            print(f"seed {seed}: {type(error).__name__} {str(error)[:80]} at {where.filename[-30:]}:{where.lineno}")
            found, wrong = [], {f"error {type(error).__name__}"}
        kinds.update(wrong)
        if wrong and shown < most:
            shown += 1
            kind = sorted(wrong)[0]
            small = shrink(p, lambda q, kind=kind: kind in kinds_of(q), 500)
            text = print_program(small)[0]
            print(f"==== seed {seed} {sorted(wrong)} block {small.block}\n{text}", flush=True)
            try:
                for v in examine(small):
                    print("  ", v.kind, v.text, flush=True)
            except Exception as error:
                print("  ", error)
    print(f"{count} kernels in {time.monotonic() - started:.0f} s:", dict(kinds))
    print({k: v for k, v in vars(tally).items() if k != "loose"})
    for reason, number in sorted(tally.loose.items(), key=lambda item: -item[1])[:12]:
        print(f"{number:6} {reason}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 5)
