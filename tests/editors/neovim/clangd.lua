-- Beside clangd on the same buffer: both attach, both answer, no finding is shown twice.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
t.open()
local problems = {}
vim.notify = function(text, level)
  if level and level >= vim.log.levels.WARN then
    table.insert(problems, text)
  end
end
local clangd = {
  name = 'clangd',
  cmd = { vim.env.WARPCOST_CLANGD, '--log=error' },
  root_dir = t.folder,
  get_language_id = function()
    return 'cuda'
  end,
  capabilities = vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), {
    offsetEncoding = { 'utf-8', 'utf-16' },
  }),
}
-- The manual's advice: the same columns as warpcost has.
clangd.capabilities.offsetEncoding = { require('warpcost').client(0).offset_encoding }
clangd.capabilities.general.positionEncodings = clangd.capabilities.offsetEncoding
vim.lsp.start(clangd, { bufnr = 0 })
t.await(function()
  return #vim.lsp.get_clients({ bufnr = 0 }) == 2
end, 'clangd does not attach')

local function ours()
  return vim.tbl_filter(function(diagnostic)
    return diagnostic.source == 'warpcost'
  end, vim.diagnostic.get(0))
end
t.await(function()
  return #ours() == #t.ALL
end, 'findings beside clangd')

local seen = {}
for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
  local key = ('%d:%d-%d:%d %s'):format(
    diagnostic.lnum, diagnostic.col, diagnostic.end_lnum, diagnostic.end_col, diagnostic.source
  )
  t.check(not seen[key], 'two diagnostics of one server on ' .. key)
  seen[key] = true
end

-- On a kernel's name both have something to say.
t.go_to(11, 'transpose_tiled')
local card
t.await(function()
  vim.lsp.buf.hover()
  local float = t.float()
  card = float
  vim.cmd.fclose()
  return (t.modern and card:find('bank conflicts', 1, true) and card:find('clangd', 1, true))
    or (not t.modern and (card:find('bank conflicts', 1, true) or card:find('function', 1, true)))
end, 'both hovers')
if t.modern then
  t.check(card:find('warpcost', 1, true), 'no heading of ours in ' .. card)
end
t.equal(problems, {}, 'warnings of the editor')
t.close()
