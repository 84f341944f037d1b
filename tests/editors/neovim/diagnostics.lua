-- Findings are underlined once each, follow what is typed, and are gone when the text is.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
local client = t.open()
t.await_findings(t.ALL)

local by_code = {}
for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
  t.equal(diagnostic.source, 'warpcost', 'source')
  by_code[diagnostic.code .. ':' .. diagnostic.lnum + 1] = diagnostic
end
local scattered = by_code['WC101:7']
t.equal({ scattered.col, scattered.end_col }, { 8, 22 }, 'columns of the store')
t.equal(scattered.severity, vim.diagnostic.severity.WARN, 'severity of a scattered store')
t.check(scattered.message:find('32 sectors where 4 would do (8x)', 1, true), scattered.message)
t.equal(by_code['WC302:26'].severity, vim.diagnostic.severity.INFO, 'severity of a loop on data')

-- Both transposes are put right by hand; only what depends on memory is left.
vim.api.nvim_buf_set_lines(0, 6, 7, true, { '        out[y * w + x] = in[y * w + x];' })
t.await_findings({ '19 WC201', '26 WC302', '27 WC101' })
vim.api.nvim_buf_set_lines(0, 11, 12, true, { '    __shared__ float tile[32][33];' })
t.await_findings({ '26 WC302', '27 WC101' })
vim.cmd.undo()
vim.cmd.undo()
t.await_findings(t.ALL)

t.equal(#vim.lsp.get_clients({ bufnr = 0 }), 1, 'clients of the buffer')
t.equal(client.name, 'warpcost', 'name of the client')
t.close()
