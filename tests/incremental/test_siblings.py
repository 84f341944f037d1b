"""Edits of a file, and of those that make a program with it: the report is that from scratch, and little is done again."""

from __future__ import annotations

from analysis_core.incremental.asked import Asked
from analysis_core.incremental.host import Host, whole
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Event
from analysis_core.syntax.siblings import MOST_FILES
from tests.ir.test_other_files import KERNEL, MAIN, WHOLE
from tests.ir.test_sibling_launches import KERNELS
from tests.ir.test_sibling_launches import MAIN as LAUNCHING

QUICK = Settings(bounds=False, kernel_seconds=20.0, hints=True)


class Folder:
    """Files of which one is open."""

    def __init__(self, files: dict[str, bytes] = WHOLE, path: str = "p/kernel.cu") -> None:
        self.host, self.files, self.path = Host(), dict(files), path

    def now(self) -> tuple[list[str], tuple[Event, ...]]:
        """The findings of the open file, which are those from scratch, and what was done for them."""
        ask = Asked(self.path, MemoryFiles(self.files), QUICK, strict=True)
        *_, result = self.host.analyse(ask)
        assert whole(result) == analyse_file(self.path, ask.files, QUICK, strict=True)
        return [finding.check for finding in result.report.findings], self.host.store.events()

    def levels(self) -> list[str]:
        """How loud the findings of the open file are."""
        self.now()
        ask = Asked(self.path, MemoryFiles(self.files), QUICK, strict=True)
        *_, result = self.host.analyse(ask)
        return [finding.level.value for finding in result.report.findings]

    def edited(self, name: str, old: bytes, new: bytes) -> tuple[list[str], tuple[Event, ...]]:
        """The same after an edit."""
        path = f"p/{name}"
        assert self.files[path].count(old) == 1
        self.files[path] = self.files[path].replace(old, new)
        return self.now()


class Watched(MemoryFiles):
    """Files that remember which of them were read."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.asked: set[str] = set()

    def read(self, path: str) -> bytes | None:
        self.asked.add(path)
        return super().read(path)


def reread(events: tuple[Event, ...]) -> bool:
    return any(event.what in ("read", "lowered", "interpreted") and not event.reused for event in events)


def test_edits_of_siblings() -> None:
    folder = Folder()
    assert folder.now()[0] == []
    assert folder.edited("main.cpp", b"out, 1, n", b"out, 8, n")[0] == ["WC101"]
    assert folder.edited("main.cpp", b"out, 8, n", b"out, 1, n")[0] == []
    found, events = folder.edited("main.cpp", b"atoi(argv[1])", b"atoi(argv[2])")
    assert found == [] and not reread(events)


def test_edits_of_the_file_itself() -> None:
    folder = Folder()
    folder.now()
    assert folder.edited("kernel.cu", b"[i * pitch]", b"[i * pitch * 8]")[0] == ["WC101"]
    assert folder.edited("kernel.cu", b"pitch * 8", b"pitch")[0] == []
    assert folder.edited("kernel.cu", b"out, pitch, n)", b"out, 2 * pitch, n)")[0] == ["WC101"]
    assert folder.edited("kernel.cu", b"2 * pitch", b"pitch")[0] == []
    assert folder.edited("kernel.cu", b"void gather(", b"void collect(")[0] == ["WC101"]
    assert folder.edited("kernel.cu", b"void collect(", b"void gather(")[0] == []


def test_files_that_come_and_go() -> None:
    folder = Folder()
    folder.now()
    del folder.files["p/main.cpp"]
    assert folder.now()[0] == ["WC101"]
    folder.files["p/begin.cpp"] = MAIN
    assert folder.now()[0] == []
    other = MAIN.replace(b"int main(int argc, char **argv)", b"int other(char **argv)")
    folder.files["p/other.cpp"] = other.replace(b"out, 1, n", b"out, n, n")
    assert folder.now()[0] == ["WC101"]
    folder.files["p/other.cpp"] = KERNEL  # Another file that defines the same.
    assert folder.now()[0] == []


def test_of_a_large_folder_no_source_is_read() -> None:
    folder = Folder({**WHOLE, **{f"p/{n}.cu": b"void more();" for n in range(MOST_FILES)}})
    assert folder.now()[0] == ["WC101"]
    files = Watched(folder.files)
    list(folder.host.analyse(Asked(folder.path, files, QUICK)))
    assert files.asked == {"p/kernel.cu", "p/program.h"}
    for n in range(MOST_FILES):
        del folder.files[f"p/{n}.cu"]
    assert folder.now()[0] == []


def test_edits_around_launches_of_siblings() -> None:
    folder = Folder({"p/turn.cu": KERNELS, "p/main.cu": LAUNCHING}, "p/turn.cu")
    assert folder.now()[0] == ["WC101"]
    assert folder.edited("main.cu", b"#define", b"\n\n#define")[0] == ["WC101"]
    assert folder.edited("turn.cu", b"i * 64", b"i * 32")[0] == ["WC101"]
    assert folder.edited("turn.cu", b"int rows)", b"int count)")[0] == ["WC101", "WC900"]
    assert folder.edited("turn.cu", b"i < rows", b"i < count")[0] == ["WC101"]
    assert folder.edited("main.cu", b"in, 8192);", b"in, 2);")[0] == []
    assert folder.edited("turn.cu", b"* 32]", b"* 16]")[0] == []
    assert folder.edited("main.cu", b"  turn<<<", b"  // turn<<<")[0] == ["WC101"]


def test_a_function_that_nothing_calls_any_more() -> None:
    folder = Folder()
    folder.files["p/kernel.cu"] = KERNEL.replace(b"[i * pitch]", b"[32 * i]")
    assert folder.levels() == ["warning"]
    folder.edited("main.cpp", b"  gather(", b"  // gather(")
    assert folder.levels() == ["hint"]
    folder.edited("main.cpp", b"  // gather(", b"  gather(")
    assert folder.levels() == ["warning"]


def test_a_call_that_a_header_of_its_file_leaves_out() -> None:
    tuned = b'#include "tuning.h"\n#if GATHERED\n  gather(values, out, 1, n);\n#endif\n'
    main = MAIN.replace(b"  gather(values, out, 1, n);\n", tuned)
    assert main != MAIN
    folder = Folder({**WHOLE, "p/main.cpp": main, "p/tuning.h": b"#define GATHERED 0\n"})
    folder.files["p/kernel.cu"] = KERNEL.replace(b"[i * pitch]", b"[32 * i]")
    assert folder.levels() == ["hint"]
    folder.edited("tuning.h", b"GATHERED 0", b"GATHERED 1")
    assert folder.levels() == ["warning"]
    folder.edited("tuning.h", b"GATHERED 1", b"GATHERED 0")
    assert folder.levels() == ["hint"]
    del folder.files["p/tuning.h"]
    assert folder.levels() == ["warning"]
