-- Remarks at the ends of lines and behind kernels' names, on from the start, and switched by the command.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
t.open()
t.await_findings(t.ALL)

local function shown()
  local found = {}
  for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    found[hint.inlay_hint.position.line + 1] = hint.inlay_hint.label
  end
  return found
end

t.check(vim.lsp.inlay_hint.is_enabled({ bufnr = 0 }), 'hints are not on')
local hints = t.await(function()
  local found = shown()
  return found[7] and found[19] and found[11] and found
end, 'no inlay hints')
t.equal(hints[7], '32 sectors (8x)', 'hint of the scattered store')
t.equal(hints[19], '32-way conflict', 'hint of the conflict')
t.check(hints[11]:find('31 conflicts', 1, true), 'hint of the kernel: ' .. hints[11])

vim.cmd('Warpcost hints')
t.check(not vim.lsp.inlay_hint.is_enabled({ bufnr = 0 }), 'hints are still on')
vim.cmd('Warpcost hints')
t.check(vim.lsp.inlay_hint.is_enabled({ bufnr = 0 }), 'hints are still off')
t.close()
