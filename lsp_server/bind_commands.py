"""Commands: start again, and what is known of a file or a kernel, in full."""

from __future__ import annotations

from pygls.exceptions import JsonRpcInvalidParams

from lsp_server import from_lsp
from lsp_server.state import Server

STAGES = ("syntax", "ir", "events", "cost", "lp", "report")

CHANGED = "The text has changed; ask again."


def bind(server: Server) -> None:
    """Registers the handlers.

    `warpcost.kernelReport` [uri, line]: the page that `warpcost report` writes, opened at the kernel around the line (from 1).
    `warpcost.restart`: the worker starts anew, with nothing remembered.  `warpcost.exportJson` [uri]: the report of an open
    document, as `warpcost check --format json`.  `warpcost.showStages` [uri, stage, kernel]: as `warpcost explain`.  `warpcost.explainLine`
    [uri, line]: what was asked about the accesses and branches of the line (from 1), as `warpcost explain --why`.  `warpcost.compareShapes` [uri, line]:
    what the kernel around the line would pay with other blocks, as `warpcost advise --all`."""

    @server.command("warpcost.restart")
    def restarted(ls: Server, *_: object) -> None:
        ls.avoided = {}
        ls.worker.restart()
        ls.analyse_all()

    @server.command("warpcost.exportJson")
    async def exported(ls: Server, *arguments: object) -> str:
        from lsp_server.features.exported import report_json

        uri = from_lsp.uri_argument(arguments)
        now = None if uri is None else await ls.present(uri)
        if now is None:
            raise JsonRpcInvalidParams("warpcost.exportJson takes the URI of an open document that could be analysed")
        answer = now.known.answer
        return report_json(ls.parts.whole(answer), ls.sources(), answer.settings)

    @server.command("warpcost.kernelReport")
    async def reported(ls: Server, *arguments: object) -> str:
        from lsp_server.features.kernel_report import kernel_report

        uri = from_lsp.uri_argument(arguments)
        now = None if uri is None else await ls.present(uri)
        if now is None:
            raise JsonRpcInvalidParams("warpcost.kernelReport takes the URI of an open document that could be analysed")
        answer = now.known.answer
        return kernel_report(ls.parts.whole(answer), ls.sources(), answer.settings, from_lsp.line_argument(arguments))

    @server.command("warpcost.showStages")
    async def staged(ls: Server, *arguments: object) -> str:
        asked = from_lsp.stage_arguments(arguments)
        document = None if asked is None else ls.documents.get(asked[0])
        if asked is None or document is None or asked[1] not in STAGES:
            wanted = ", ".join(STAGES)
            raise JsonRpcInvalidParams(
                f"warpcost.showStages takes the URI of an open document, a stage ({wanted}), a kernel"
            )
        return await ls.printed(document, (asked[1], asked[2])) or CHANGED

    @server.command("warpcost.explainLine")
    async def explained(ls: Server, *arguments: object) -> str:
        uri, line = from_lsp.uri_argument(arguments), from_lsp.line_argument(arguments)
        document = None if uri is None else ls.documents.get(uri)
        if document is None or not line:
            raise JsonRpcInvalidParams("warpcost.explainLine takes the URI of an open document and a line, from 1")
        return await ls.printed(document, None, line) or CHANGED

    @server.command("warpcost.compareShapes")
    async def compared(ls: Server, *arguments: object) -> str:
        uri, line = from_lsp.uri_argument(arguments), from_lsp.line_argument(arguments)
        now = None if uri is None or not line else await ls.present(uri)
        if now is None:
            raise JsonRpcInvalidParams("warpcost.compareShapes takes the URI of an open document and a line, from 1")
        start, end = now.document.index.line_range(line)
        for kernel in now.known.answer.report.kernels:
            if kernel.span.file == now.document.path and kernel.span.start < end and start < kernel.span.end:
                return await ls.printed(now.document, None, shapes=kernel.name_span) or CHANGED
        return "There is no kernel on this line."
