"""Holds two states of the analysis against each other on whole folders: every access, branch and bound, and every finding with its level.

    python -m tests.bench.golden write before.json.gz FOLDER..           [--exclude GLOB] [--jobs N]
    python -m tests.bench.golden compare before.json.gz after.json.gz    [--list KIND] [--most N]

`write` runs `warpcost check` and keeps, per launch of a kernel, the digests of `accesses`, `branches` and `bounds` beside their values, and
the findings.  `compare` counts what differs, by kind: the field of an access or branch, the metric and the end of a bound (looser, tighter,
now known, no more known), assumptions, findings that came, went or changed their level; with examples.  The status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

PARTS = ("accesses", "branches", "bounds")
Differences = dict[str, list[str]]


def digest(value: Any) -> str:
    """Sixteen digits that are equal for equal values."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def golden_of(report: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a report of `warpcost check --format json`: by path, launches by kernel and shape, and findings."""
    kept: dict[str, Any] = {}
    for file in report["files"]:
        launches: dict[str, Any] = {}
        findings: list[list[Any]] = [_finding(found, "") for found in file["findings"]]
        for kernel in file["kernels"]:
            name = kernel["instantiation"] or kernel["name"]
            findings += [_finding(found, name) for found in kernel["findings"]]
            for launch in kernel["launches"]:
                key = f"{name}:{kernel['line']} {launch['block']} {launch['grid']}"
                while key in launches:
                    key += "'"
                values = {part: launch[part] for part in PARTS}
                digests = {part: digest(value) for part, value in values.items()}
                launches[key] = {"digests": digests, "assumptions": launch["assumptions"], **values}
        kept[file["path"]] = {"launches": launches, "findings": findings}
    return kept


def _finding(found: Mapping[str, Any], kernel: str) -> list[Any]:
    return [found["code"], found["level"], found.get("line"), kernel, found["message"]]


def compared(before: Mapping[str, Any], after: Mapping[str, Any]) -> Differences:
    """Every difference, by kind."""
    found: Differences = defaultdict(list)
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old is None or new is None:
            found["file gone" if new is None else "file new"].append(path)
            continue
        for key in sorted(old["launches"].keys() | new["launches"].keys()):
            one, other = old["launches"].get(key), new["launches"].get(key)
            where = f"{path} {key}"
            if one is None or other is None:
                found["launch gone" if other is None else "launch new"].append(where)
                continue
            for kind, text in _launch_differences(one, other):
                found[kind].append(f"{where}: {text}")
        for kind, text in _finding_differences(old["findings"], new["findings"]):
            found[kind].append(f"{path}{text}")
    return found


def _launch_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for word, these, those in (("gone", old, new), ("new", new, old)):
        for text in these["assumptions"]:
            if text not in those["assumptions"]:
                yield f"assumption {word}", text
    for part in ("accesses", "branches"):
        if old["digests"][part] != new["digests"][part]:
            yield from _place_differences(part, old[part], new[part])
    if old["digests"]["bounds"] != new["digests"]["bounds"]:
        yield from _bound_differences(old["bounds"], new["bounds"])


def _place_differences(part: str, old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    if [place["span"] for place in old] != [place["span"] for place in new]:
        yield f"{part}: other places", f"{len(old)} -> {len(new)}"
        return
    for one, other in zip(old, new, strict=True):
        for field in sorted(one.keys() | other.keys()):
            a, b = one.get(field), other.get(field)
            if a != b:
                yield f"{part}.{field}", f"line {one['line']} `{one['text'][:40]}` {a} -> {b}"


def _bound_differences(old: Any, new: Any) -> Iterator[tuple[str, str]]:
    if old is None or new is None:
        yield "bounds", f"{old is not None} -> {new is not None}"
        return
    for metric in sorted(old.keys() | new.keys()):
        for scope in ("per_warp", "per_block", "per_launch"):
            one, other = old[metric][scope], new[metric][scope]
            for end in sorted((one.keys() | other.keys()) - {"text", "method"}):
                a, b = one.get(end), other.get(end)
                if a != b:
                    yield f"bounds.{_how(end, a, b)}", f"{metric} {scope} {a} -> {b}"


def _how(end: str, old: Any, new: Any) -> str:
    """What became of an end of a bound."""
    if end == "exact":
        return "exact now" if new else "not exact any more"
    if old is None or new is None:
        return f"{end} {'known now' if old is None else 'not known any more'}"
    try:
        a, b = int(old), int(new)
    except (TypeError, ValueError):
        return f"{end} changed"
    return f"{end} {'greater' if b > a else 'less'}"


def _finding_differences(old: list[list[Any]], new: list[list[Any]]) -> Iterator[tuple[str, str]]:
    places_old, places_new = _by_place(old), _by_place(new)
    for place in sorted(places_old.keys() | places_new.keys(), key=str):
        one, other = places_old.get(place), places_new.get(place)
        where = f":{place[1]} {place[0]}"
        if one is None or other is None:
            level, message = one or other or ("", "")
            yield f"finding {'gone' if other is None else 'new'} ({level})", f"{where} {message[:160]}"
        elif one[0] != other[0]:
            yield f"finding {one[0]} -> {other[0]}", f"{where} {one[1][:110]} -> {other[1][:110]}"
        elif one[1] != other[1]:
            yield "finding's words", f"{where} {one[1][:110]} -> {other[1][:110]}"


def _by_place(findings: list[list[Any]]) -> dict[tuple[Any, ...], tuple[str, str]]:
    found: dict[tuple[Any, ...], tuple[str, str]] = {}
    for code, level, line, _, message in findings:
        number = 0
        while (code, line, number) in found:
            number += 1
        found[code, line, number] = level, message
    return found


def write(options: argparse.Namespace) -> int:
    command = [sys.executable, "-m", "analysis_core", "check", "--no-config", "--hints", "--format", "json"]
    command += ["--jobs", str(options.jobs), *(f"--exclude={glob}" for glob in options.exclude), *options.folders]
    run = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if run.returncode > 1:
        return run.returncode
    with gzip.open(options.file, "wt", encoding="utf-8") as file:
        json.dump(golden_of(json.loads(run.stdout)), file)
    return 0


def read(path: str) -> dict[str, Any]:
    """What `write` wrote, or the JSON of a run itself."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        data: dict[str, Any] = json.load(file)
    return golden_of(data) if "schema" in data else data


def compare(options: argparse.Namespace) -> int:
    found = compared(read(options.before), read(options.after))
    for kind in sorted(found, key=lambda kind: (-len(found[kind]), kind)):
        print(f"{len(found[kind]):6}  {kind}")
        shown = found[kind] if options.list == kind else found[kind][: options.most]
        for text in shown:
            print(f"          {text}")
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    writing = commands.add_parser("write")
    writing.add_argument("file")
    writing.add_argument("folders", nargs="+")
    writing.add_argument("--exclude", action="append", default=[])
    writing.add_argument("--jobs", type=int, default=2)
    writing.set_defaults(run=write)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.add_argument("--list", metavar="KIND")
    comparing.add_argument("--most", type=int, default=3)
    comparing.set_defaults(run=compare)
    options = parser.parse_args()
    status: int = options.run(options)
    return status


if __name__ == "__main__":
    sys.exit(main())
