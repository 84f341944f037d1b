-- A program of several files has the answer that the command line gives, however its path is spelled.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
t.load_plugin()
require('warpcost').setup({ cmd = t.server })

local program = t.root .. '/tests/editors/workspace/parts'
local top = vim.fn.tempname()
vim.fn.mkdir(top .. '/program/shared', 'p')
for _, name in ipairs({ 'rows.cu', 'main.cu', 'shared/row.h' }) do
  vim.uv.fs_copyfile(program .. '/' .. name, top .. '/program/' .. name)
end
vim.fn.mkdir(top .. '/program/.git', 'p')
vim.uv.fs_symlink(top .. '/program', top .. '/linked')
local answer = vim.fn.readfile(program .. '/answer.txt')

local LEVELS = { 'error', 'warning', 'information', 'hint' }
local function said()
  return vim.tbl_map(function(d)
    return ('rows.cu %d %s %s %s'):format(d.lnum + 1, d.code, LEVELS[d.severity], d.message)
  end, vim.diagnostic.get(0))
end

vim.cmd.cd(top .. '/program')
for _, spelling in ipairs({ 'rows.cu', './rows.cu', top .. '/program/rows.cu', top .. '/linked/rows.cu' }) do
  vim.cmd.edit(spelling)
  t.await(function()
    return vim.deep_equal(said(), answer)
  end, spelling .. ': ' .. vim.inspect(said()))
  vim.cmd('bwipeout!')
end
t.close()
