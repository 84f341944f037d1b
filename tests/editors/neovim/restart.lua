-- The server is restarted by command, and comes back by itself after its worker was killed.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
local client = t.open()
t.await_findings(t.ALL)

vim.cmd('Warpcost restart')
local again = t.await(function()
  local now = require('warpcost').client(0)
  return now and now.id ~= client.id and now
end, 'no new client')
vim.diagnostic.reset()
vim.api.nvim_buf_set_lines(0, 6, 7, true, { '        out[y * w + x] = in[y * w + x];' })
t.await_findings({ '19 WC201', '26 WC302', '27 WC101' })

-- The worker is the server's only child that computes; the server outlives it.
local server = again.rpc.pid or nil
local children = vim.fn.systemlist({ 'pgrep', '-P', tostring(vim.uv.os_getpid()), '-f', 'lsp_server' })
t.equal(#children, 1, 'servers of this editor')
server = tonumber(children[1])
local workers = vim.fn.systemlist({ 'pgrep', '-P', tostring(server), '-f', 'warpcost-worker' })
t.equal(#workers, 1, 'workers of the server')
vim.uv.kill(tonumber(workers[1]), 'sigkill')
vim.api.nvim_buf_set_lines(0, 11, 12, true, { '    __shared__ float tile[32][33];' })
t.await_findings({ '26 WC302', '27 WC101' })
t.equal(require('warpcost').client(0).id, again.id, 'the client after the loss of its worker')

-- A server that hangs is left behind.
vim.uv.kill(server, 'sigstop')
vim.cmd('Warpcost restart')
local third = t.await(function()
  local now = require('warpcost').client(0)
  return now and now.id ~= again.id and now
end, 'no client after a server that hangs')
vim.diagnostic.reset()
vim.api.nvim_buf_set_lines(0, 11, 12, true, { '    __shared__ float tile[32][32];' })
t.await_findings({ '19 WC201', '26 WC302', '27 WC101' })
t.equal(require('warpcost').client(0).id, third.id, 'the client after a server that hangs')
vim.uv.kill(server, 'sigcont')
t.close()
