-- :checkhealth says what works and, where the server is not there, what to do.  :help finds the manual.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
local client = t.open()
t.await_findings(t.ALL)

local function health()
  vim.cmd('checkhealth warpcost')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd('bwipeout')
  return text
end

local text = health()
t.check(text:find('warpcost: server', 1, true), text)
t.check(text:find('OK.-lsp_server.- is warpcost %d'), 'no version in ' .. text)
t.check(text:find('OK.-serves 1 buffer'), 'no client in ' .. text)
t.check(not text:find('ERROR', 1, true), text)

-- The program as it is installed, `warpcost lsp --stdio`, is asked for its version too.
local program = { vim.env.WARPCOST_PYTHON, '-P', '-m', 'analysis_core', 'lsp', '--version' }
local version = vim.system(program, { text = true }):wait()
t.check(version.code == 0 and vim.startswith(version.stdout, 'warpcost '), version.stderr)

if t.modern then
  client:stop()
else
  client.stop()
end
t.await(function()
  return #vim.lsp.get_clients() == 0
end, 'client does not stop')
require('warpcost').configuration = function()
  return { cmd = { 'no-such-warpcost', 'lsp' } }
end
if t.modern then
  vim.lsp.config('warpcost', { cmd = { 'no-such-warpcost', 'lsp' } })
end
text = health()
t.check(text:find('ERROR `no-such-warpcost` is not executable', 1, true), text)
t.check(text:find('install it', 1, true), text)

-- What a plugin manager does, in a copy: the tags of the manual are made.
local manual = vim.fn.tempname()
vim.fn.mkdir(manual .. '/doc', 'p')
vim.uv.fs_copyfile(t.root .. '/editor_clients/neovim/doc/warpcost.txt', manual .. '/doc/warpcost.txt')
vim.cmd.helptags(manual .. '/doc')
vim.opt.runtimepath:append(manual)
vim.cmd.help('warpcost-setup')
t.equal(vim.fn.expand('%:t'), 'warpcost.txt', 'the page of :help')
t.close()
