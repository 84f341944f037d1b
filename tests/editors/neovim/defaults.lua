-- The README's one line: the server is `warpcost` on PATH, and nothing else is said.  0.10 has the same line for `setup` only.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
-- A project that holds a program of this name is not asked, even where PATH leads there.
local programs = vim.fs.dirname(vim.env.WARPCOST_PYTHON)
vim.env.PATH = '.:' .. programs .. ':' .. vim.env.PATH
local folder = t.workspace()
vim.fn.writefile({ '#!/bin/sh', 'touch ' .. folder .. '/MARKER' }, folder .. '/warpcost')
vim.uv.fs_chmod(folder .. '/warpcost', 493)
vim.cmd.cd(folder)
t.load_plugin()
if t.modern then
  vim.lsp.enable('warpcost')
else
  require('warpcost').setup()
end
vim.cmd.edit(folder .. '/transpose.cu')
t.await_findings(t.ALL)
local client = require('warpcost').client(0)
t.equal(client.config.cmd, { programs .. '/warpcost', 'lsp', '--stdio' }, 'command of the server')
t.equal(vim.fn.filereadable(folder .. '/MARKER'), 0, 'programs of the project that were run')
t.await(function()
  return require('warpcost').last_status(client.id)
end, 'the server says nothing of itself')
t.close()
