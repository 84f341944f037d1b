-- The README's one line: the server is `warpcost` on PATH, and nothing else is said.  0.10 has the same line for `setup` only.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
vim.env.PATH = vim.fs.dirname(vim.env.WARPCOST_PYTHON) .. ':' .. vim.env.PATH
t.load_plugin()
if t.modern then
  vim.lsp.enable('warpcost')
else
  require('warpcost').setup()
end
vim.cmd.edit(t.workspace() .. '/transpose.cu')
t.await_findings(t.ALL)
local client = require('warpcost').client(0)
t.equal(client.config.cmd, { 'warpcost', 'lsp', '--stdio' }, 'command of the server')
t.await(function()
  return require('warpcost').last_status(client.id)
end, 'the server says nothing of itself')
t.close()
