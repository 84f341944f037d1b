-- A fix is applied and its finding gone; a finding is silenced by a comment.
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
t.open()
t.await_findings(t.ALL)

local function apply(title)
  local found
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      found = found or action.title:find(title, 1, true) and action.title
      return action.title == found
    end,
  })
  return t.await(function()
    return found
  end, 'no action ' .. title)
end

t.go_to(19, 'tile[')
t.equal(apply("Pad 'tile'"), "Pad 'tile' to [32][33]: 32-way bank conflict -> none", 'title of the fix')
t.await_findings({ '26 WC302', '27 WC101', '7 WC101' })
t.equal(vim.api.nvim_buf_get_lines(0, 11, 12, true)[1], '    __shared__ float tile[32][33];', 'the padded tile')

-- A refactoring cures a finding, and is undone in one step.
vim.cmd('let &undolevels = &undolevels')
t.go_to(7, 'out[')
t.check(apply('Transpose through a tile'):find('proved equal', 1, true), 'title of the refactoring')
t.await_findings({ '30 WC302', '31 WC101' })
t.check(table.concat(vim.api.nvim_buf_get_lines(0, 0, 20, false), '\n'):find('[32][33]', 1, true), 'a padded tile')
vim.cmd('silent undo')
t.await_findings({ '26 WC302', '27 WC101', '7 WC101' })

-- What was asked is shown beside the source, the page of the rule in the help.
local source = vim.api.nvim_get_current_win()
local function shown(wanted)
  t.await(function()
    local here = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    return vim.api.nvim_get_current_win() ~= source and here:find(wanted, 1, true)
  end, wanted)
  vim.cmd.close()
end
t.go_to(7, 'out[')
apply('Why this level?')
shown('WC101 uncoalesced-access begins at warning')
t.go_to(7, 'out[')
apply('Show documentation for WC101')
shown('WC101: uncoalesced-access')

t.go_to(7, 'out[')
apply('Silence WC101 on this line')
t.await_findings({ '26 WC302', '27 WC101' })
t.go_to(26, 'k <')
apply('Silence WC302 in this file')
t.await_findings({ '28 WC101' })
t.equal(vim.api.nvim_buf_get_lines(0, 0, 1, true)[1], '// warpcost: ignore-file[WC302]', 'the first line')

-- The settings file is edited in a buffer, which the server is told of; what it says holds once it is written.
local settings = t.folder .. '/warpcost.toml'
t.go_to(28, 'value')
apply('Silence WC101 in this project')
t.await(function()
  return vim.fn.bufnr(settings) > 0 and vim.bo[vim.fn.bufnr(settings)].modified
end, 'no edit of ' .. settings)
t.equal(vim.fn.readfile(settings), { 'hints = true' }, 'what is on the disk')
vim.cmd('silent wall')
t.equal(vim.fn.readfile(settings), { 'hints = true', '', '[levels]', 'WC101 = "off"' }, 'what is on the disk')
t.await_findings({})

-- Keys, values and annotations are completed, and nothing else.
local client = require('warpcost').client(0)
local function labels(place)
  local params = vim.tbl_extend('force', { textDocument = vim.lsp.util.make_text_document_params() }, { position = place })
  local found = t.request(client, 'textDocument/completion', params)
  return found and found ~= vim.NIL and vim.tbl_map(function(item)
    return item.label
  end, found.items) or {}
end
vim.api.nvim_buf_set_lines(0, 2, 2, true, { '//@ assume ' })
t.equal(vim.list_slice(labels({ line = 2, character = 11 }), 1, 3), { 'w', 'h', 'gridDim' }, 'names of the kernel')
t.equal(labels({ line = 1, character = 0 }), {}, 'names in the source')
vim.cmd.edit(settings)
t.check(require('warpcost').client(0) == client, 'another client for the settings file')
vim.api.nvim_buf_set_lines(0, 3, 4, true, { 'WC101 = "' })
t.equal(labels({ line = 3, character = 9 }), { 'off', 'hint', 'information', 'warning', 'error' }, 'levels')
vim.cmd('silent edit!')
vim.cmd.edit(t.folder .. '/other.toml')
t.equal(vim.bo.filetype, 'toml', 'filetype')
vim.wait(100)
t.check(not require('warpcost').client(0), 'a client for any file in TOML')
t.close()
