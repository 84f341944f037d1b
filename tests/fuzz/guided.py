"""The same search, guided by lines and comparisons: `python -m tests.fuzz.guided [--seconds S] [--seed K]` (package `atheris`, extra `fuzz`).

libFuzzer runs in one process, so the first fault ends the run: it is made small and printed, as in `python -m tests.fuzz`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.fuzz.mutate import MOST, mutated

ARTEFACTS = Path(__file__).parents[2] / ".cache" / "fuzz"
"""Where libFuzzer writes an input that breaks the analysis."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    import atheris

    with atheris.instrument_imports(include=["analysis_core"]):
        from tests.fuzz.campaign import corpus, name_of, written
        from tests.fuzz.one_input import BYTES, SECONDS, analysed, warmed

        warmed()
    seeds = [*corpus(), *written()]

    def changed(data: bytes, most: int, seed: int) -> bytes:
        return mutated(data, random.Random(seed), seeds)[:most]

    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for data in seeds:
            (Path(folder) / name_of(data)).write_bytes(data)
        limits = [f"-max_total_time={options.seconds}", f"-seed={options.seed}", f"-max_len={MOST}"]
        slower = 4  # times as long as without what counts coverage
        guards = [
            f"-timeout={slower * SECONDS:.0f}",
            f"-rss_limit_mb={2 * BYTES >> 20}",
            f"-artifact_prefix={ARTEFACTS}/",
        ]
        atheris.Setup([sys.argv[0], *limits, *guards, folder], analysed, custom_mutator=changed)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
