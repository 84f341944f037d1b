-- The report opens as a page, stages and JSON in windows of their own; the status line knows how the server is.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
t.open()
t.await_findings(t.ALL)

local opened
vim.ui.open = function(page)
  opened = page
end
vim.cmd('Warpcost report')
local page = t.await(function()
  return opened and table.concat(vim.fn.readfile(opened), '\n')
end, 'no report')
t.check(page:find('^<!DOCTYPE html>') and page:find('transpose_tiled', 1, true), 'no page of this file in ' .. opened)

local source = vim.api.nvim_get_current_win()
local function shown(command, filetype, wanted)
  vim.cmd(command)
  local text = t.await(function()
    local here = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return vim.api.nvim_get_current_win() ~= source and here:find(wanted, 1, true) and here
  end, command)
  t.equal(vim.bo.filetype, filetype, 'filetype of ' .. command)
  vim.cmd.close()
  return text
end

shown('Warpcost stages', 'text', 'kernel transpose_tiled')
shown('Warpcost stages ir', 'text', 'launch block=(32, 32)')
local found = vim.json.decode(shown('Warpcost json', 'json', '"schema"'))
t.equal(#found.files[1].kernels, 3, 'kernels in the JSON')
t.equal(vim.fn.getcompletion('Warpcost stages ', 'cmdline'), { 'syntax', 'ir', 'events', 'cost', 'lp', 'report' }, 'stages')

-- The page of a rule: of the finding at the cursor, and as the client's command of a code action; the tags come with the plugin.
local function at_help(line)
  t.equal(vim.bo.buftype, 'help', 'no help window')
  local here = vim.api.nvim_get_current_line()
  t.check(here:find(line, 1, true), 'the help is at ' .. here)
  vim.cmd.close()
end
t.go_to(19, 'tile')
vim.cmd('Warpcost rule')
at_help('WC201: bank-conflict')
vim.lsp.get_clients({ name = 'warpcost' })[1].config.commands['warpcost.showRule']({ arguments = { 'WC302' } })
at_help('WC302: divergent-loop')
vim.cmd('help warpcost-uncoalesced-access')
at_help('WC101: uncoalesced-access')

t.await(function()
  return require('warpcost').status(0) == 'warpcost'
end, 'status line: ' .. require('warpcost').status(0))
t.check(require('warpcost').last_status(require('warpcost').client(0).id), 'the server says nothing of itself')
t.close()
