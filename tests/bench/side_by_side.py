"""Edit to diagnostics, beside clangd: the same files, edits and client, one server after the other in one run.

Rows of each file:

    at once    typed every 0.3 s from the moment on at which the file is opened
    quiet      an edit when nothing is left to do
    typing     typed every 0.3 s after that

Seconds are from an edit to the first diagnostics of its version or of a later one, with what the servers wait for further keys.  clangd gets a
header in place of CUDA's, so that it reads the files without errors; it checks syntax and types, and we what warps pay.
"""

from __future__ import annotations

import queue
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.bench.bench_typing import TYPED, Client, delta, kernel_places

EVERY = 0.3
LONGEST = 60.0

_HEADER = """\
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline
typedef unsigned long size_t;
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1); };
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
__device__ void __syncthreads();
enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
typedef struct event *cudaEvent_t;
typedef struct stream *cudaStream_t;
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind), cudaMemset(void *, int, size_t);
cudaError_t cudaFree(void *), cudaGetLastError(), cudaEventCreate(cudaEvent_t *), cudaEventRecord(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t), cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
"""

_FLAGS = ("-xcuda", "-nocudainc", "-nocudalib", "--cuda-host-only", "-Wno-everything")


def compare(clangd: str, files: Mapping[str, str], edits: int) -> int:
    """Prints the table; returns the exit status."""
    print(f"{'milliseconds, median of ' + str(edits):<32}{'warpcost':>10}{'clangd':>10}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "cuda_runtime.h").write_text(_HEADER, encoding="utf-8")
        flags = {"fallbackFlags": [*_FLAGS, f"-I{folder}"]}
        for name, text in files.items():
            ours = dict(_measured(Client(), None, name, text, edits))
            theirs = dict(_measured(Client([clangd, "--background-index=false"]), flags, name, text, edits))
            for row in ours:
                mine, other = statistics.median(ours[row]), statistics.median(theirs[row])
                print(f"{f'{name}: {row}':<32}{1e3 * mine:10.0f}{1e3 * other:10.0f}{mine / other:8.2f}", flush=True)
    return 0


def _measured(
    client: Client, options: Mapping[str, Any] | None, name: str, text: str, edits: int
) -> Iterator[tuple[str, list[float]]]:
    """Seconds of each edit, row by row."""
    client.handshake(None if options is None else dict(options))
    time.sleep(3.0)
    typist = _Typist(client, f"file:///typing/{name}.cu", text, random.Random(name))
    yield "at once", typist.types(edits, EVERY)
    typist.waits(10.0)
    yield "quiet", typist.types(edits, None)
    typist.waits(3.0)
    yield "typing", typist.types(edits, EVERY)
    client.server.kill()
    client.server.wait()


class _Typist:
    """Opens a file and edits it; each edit is undone by the next."""

    def __init__(self, client: Client, uri: str, text: str, draw: random.Random) -> None:
        self._client, self._uri, self._text, self._draw = client, uri, text, draw
        self._places, self._version, self._number, self._changed = kernel_places(text), 1, 0, text
        item = {"uri": uri, "languageId": "cuda", "version": 1, "text": text}
        client.tell("textDocument/didOpen", {"textDocument": item})

    def types(self, edits: int, every: float | None) -> list[float]:
        """Seconds to the diagnostics of each edit. `every`: seconds between two edits; None: each waits for its diagnostics, and for quiet."""
        sent: dict[int, float] = {}
        taken: list[float] = []
        for _ in range(edits | 1):  # The last one is no undo: clangd tells nothing of a text that it has read already.
            moment = self._edit()
            sent[self._version] = moment
            if every is None:
                taken += self._told(sent, time.perf_counter() + LONGEST, True)
                self.waits(1.0)
            else:
                taken += self._told(sent, time.perf_counter() + every, False)
        taken += self._told(sent, time.perf_counter() + LONGEST, True)
        self._edit()
        return taken

    def waits(self, seconds: float) -> None:
        """Until nothing came for so long."""
        while True:
            try:
                self._client.news.get(timeout=seconds)
            except queue.Empty:
                return

    def _edit(self) -> float:
        undo = self._number % 2 == 1
        if not undo:
            start, end = self._draw.choice(self._places)
            typed = TYPED[self._number // 2 % len(TYPED)][1](self._text[start:end])
            self._changed = self._text[:start] + typed + self._text[end:]
        self._number += 1
        self._version += 1
        document = {"uri": self._uri, "version": self._version}
        changes = [delta(self._text, self._changed, undo)]
        return self._client.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def _told(self, sent: dict[int, float], until: float, all_of_them: bool) -> list[float]:
        """Seconds of the edits that are answered before a moment; these are taken out of `sent`."""
        taken: list[float] = []
        while (left := until - time.perf_counter()) > 0 and (sent or not all_of_them):
            try:
                at, message = self._client.news.get(timeout=left)
            except queue.Empty:
                break
            params = message.get("params") or {}
            if message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == self._uri:
                answered = [version for version in sent if version <= (params.get("version") or 0)]
                taken += [at - sent.pop(version) for version in answered]
        if all_of_them and sent:
            print(f"{len(sent)} edits were never answered", file=sys.stderr)
            sent.clear()
        return taken
