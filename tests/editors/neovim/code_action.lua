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

t.go_to(7, 'out[')
apply('Silence WC101')
t.await_findings({ '26 WC302', '27 WC101' })
t.close()
