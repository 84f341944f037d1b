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

-- The settings file is edited in a buffer; what it says holds once it is written.
local settings = t.folder .. '/warpcost.toml'
t.go_to(28, 'value')
apply('Silence WC101 in this project')
t.await(function()
  return vim.fn.bufnr(settings) > 0 and vim.bo[vim.fn.bufnr(settings)].modified
end, 'no edit of ' .. settings)
t.equal(vim.fn.readfile(settings), { 'hints = true' }, 'what is on the disk')
vim.cmd('silent wall | silent write')
t.equal(vim.fn.readfile(settings), { 'hints = true', '', '[levels]', 'WC101 = "off"' }, 'what is on the disk')
t.await_findings({})
t.close()
