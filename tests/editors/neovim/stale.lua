-- Findings change without an edit: what is shown follows, also where the editor pulls and cannot be told to pull again (0.10).
local t = dofile(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)) .. '/session.lua')
local client = t.open()
t.await_findings(t.ALL)
local all = #t.findings()

local function use(settings)
  client.config.settings = { warpcost = settings }
  client.settings = client.config.settings
  if t.modern then
    client:notify('workspace/didChangeConfiguration', { settings = client.settings })
  else
    client.notify('workspace/didChangeConfiguration', { settings = client.settings })
  end
end

use({ levels = { WC201 = 'off' } })
local left = vim.tbl_filter(function(finding)
  return not finding:find('WC201', 1, true)
end, t.ALL)
t.check(#left < #t.ALL, 'there is no such finding')
t.await_findings(left)
use(vim.empty_dict())
t.await_findings(t.ALL)
t.equal(#t.findings(), all, 'each finding once')
t.close()
