"""What a file outside of the project says is in no report, though it is read: a database of the project named its folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis_core.incremental.host import Host
from analysis_core.main import main
from analysis_core.support.interrupts import Interrupts
from lsp_server.analyse import Job, answered
from lsp_server.options import EditorOptions

NOTES = """root secret0 daemon
secret1;
#define AMOUNT secret2 + secret3(4)
#define CALLED(x) secret4.secret5(x)
#error secret6
#secret7
typedef secret8 Shape;
struct Hidden { secret9 secret10; int secret11; };
extern __constant__ int secret12;
__constant__ int secret13[8];
template <typename secret14> __device__ void step(float *secret15, secret14 secret16) {
    for (int secret17 = 0; secret17 < secret12; secret17++) secret15[8 * threadIdx.x + secret17] = secret13[secret16 & 7];
    if (threadIdx.x % 7 == secret12) secret15[secret18] = secret19(secret20);
    asm("secret21"); goto secret22; "secret23"; secret24<secret25> secret26; __shared__ float secret27[32][32];
    secret27[threadIdx.x][threadIdx.y] = secret12;
    switch (secret28) { case secret29: secret15[secret30::secret31] = 1.5secret32; }
}
__device__ int odd(int n) { return secret33 ? secret34 : secret35->secret36; }
int secret37(float *secret38) { kernel<<<secret39, secret40>>>(secret38, 4); }
#include "secret41.h"
#include "../secret42.h"
"secret43
"""
KERNEL = """#include "notes.txt"
#include "gone.h"
__global__ void kernel(float *a, int n) {
    a[AMOUNT] = CALLED(n);
    Shape s; s.x = 1; a[s.y] = 2;
    Hidden h; a[h.part] = 0;
    step(a, n);
    a[odd(n) * 4] = here_undeclared;
    for (int i = 0; i < n + AMOUNT; i++) a[32 * i] = 0;
}
"""


def project(tmp_path: Path, how: str) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "notes.txt").write_text(NOTES)
    top = tmp_path / "p"
    (top / ".git").mkdir(parents=True)
    (top / "a.cu").write_text(KERNEL)
    if how == "database":
        entry = {"file": "a.cu", "directory": str(top), "command": "nvcc -I../home -c a.cu"}
        (top / "compile_commands.json").write_text(json.dumps([entry]))
    else:
        (top / "warpcost.toml").write_text('include-paths = ["../home"]\n')
    return top / "a.cu"


@pytest.mark.parametrize("how", ["database", "settings"])
@pytest.mark.parametrize(
    "command",
    ["check --format text", "check --format json", "check --format sarif", "check --format github", "explain --stage all"],
)  # fmt: skip
def test_no_report_has_words_of_it(how: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project(tmp_path, how)
    main([*command.split(), *(["--hints"] if command.startswith("check") else []), str(path)])
    said = capsys.readouterr()
    text = said.out + said.err
    assert "secret" not in text, text[max(0, text.find("secret") - 200) :][:300]
    assert "outside_" in text and "gone.h" in text and ("here_undeclared" in text or "json" not in command)


def test_pages_have_none_either(tmp_path: Path) -> None:
    path = project(tmp_path, "database")
    main(["report", str(path), "-o", str(tmp_path / "page.html")])
    assert "secret" not in (tmp_path / "page.html").read_text()


def test_an_editor_is_told_none(tmp_path: Path) -> None:
    path = project(tmp_path, "database")
    job = Job(str(path), {str(path): path.read_bytes()}, EditorOptions())
    answer = answered(Host(), job, lambda _: None, Interrupts())
    parts = repr((answer.report, answer.parts))
    assert "secret" not in parts.replace("secret41.h", "").replace("secret42.h", "")  # paths that are looked at
    assert "outside_" in parts
    opened = {**job.contents, str(tmp_path / "home" / "notes.txt"): NOTES.encode()}
    answer = answered(Host(), Job(str(path), opened, EditorOptions()), lambda _: None, Interrupts())
    assert "secret3" in repr(answer.report)  # It is open in the editor.


def test_what_the_project_says_itself_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project(tmp_path, "database")
    path.write_text(KERNEL + "// secret2, secret33\n")
    main(["check", "--format", "json", str(path)])
    out = capsys.readouterr().out
    assert "secret2" in out and "secret3" not in out.replace("secret33", "")
