-- The cards of an access and of a kernel, shown by Neovim itself.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
t.open()
t.await_findings(t.ALL)

t.go_to(7, 'out[')
vim.lsp.buf.hover()
local card = t.float()
t.check(card:find('Each warp touches 32 sectors', 1, true), card)
t.check(card:find('ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef', 1, true), 'no lanes in ' .. card)
vim.cmd.fclose()

t.go_to(11, 'transpose_tiled')
-- Bounds come after findings: the card is asked for until it has them.
t.await(function()
  vim.lsp.buf.hover()
  card = t.float()
  vim.cmd.fclose()
  return card:find('31 bank conflicts', 1, true)
end, 'bounds on the card')
t.check(card:find('per launch', 1, true), 'no table in ' .. card)
t.close()
