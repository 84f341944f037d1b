-- What the tests of this folder share.  Run by: nvim --clean --headless -l TEST.lua
local M = {}

local folder = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
M.root = vim.fn.fnamemodify(folder, ':h:h:h')
M.server = { vim.env.WARPCOST_PYTHON, '-P', '-m', 'lsp_server', '--stdio' }
M.modern = vim.lsp.enable ~= nil
M.patience = 30000

function M.check(condition, message)
  if not condition then
    error('FAIL: ' .. message, 2)
  end
end

function M.equal(found, expected, message)
  M.check(
    vim.deep_equal(found, expected),
    ('%s: %s instead of %s'):format(message, vim.inspect(found), vim.inspect(expected))
  )
end

--- Waits until `condition` gives something true, and gives it.
function M.await(condition, message)
  local found
  local ends = vim.uv.hrtime() + M.patience * 1e6
  repeat
    found = condition() -- Outside of `vim.wait`, since it may wait itself.
    if not found then
      vim.wait(10)
    end
  until found or vim.uv.hrtime() > ends
  M.check(found, 'waited in vain: ' .. message)
  return found
end

--- Puts the plugin on the path as a plugin manager does, and runs its plugin/ files.
function M.load_plugin()
  vim.opt.runtimepath:prepend(M.root .. '/editor_clients/neovim')
  vim.cmd('filetype on')
  vim.cmd.runtime('plugin/warpcost.lua')
end

--- A copy of the workspace in a folder of its own.
function M.workspace()
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy, 'p')
  for name in vim.fs.dir(M.root .. '/tests/editors/workspace') do
    vim.uv.fs_copyfile(('%s/tests/editors/workspace/%s'):format(M.root, name), copy .. '/' .. name)
  end
  vim.fn.writefile({ 'hints = true' }, copy .. '/warpcost.toml')
  return copy
end

--- The plugin set up as its help says, and the file of the workspace open; returns the client.
function M.open(options)
  M.load_plugin()
  require('warpcost').setup(vim.tbl_extend('keep', options or {}, { cmd = M.server }))
  M.folder = M.workspace()
  vim.cmd.edit(M.folder .. '/transpose.cu')
  M.equal(vim.bo.filetype, 'cuda', 'filetype')
  return M.await(function()
    return require('warpcost').client(0)
  end, 'no client')
end

--- Lines (from 1) and codes of what is underlined.
function M.findings()
  local found = vim.tbl_map(function(diagnostic)
    return ('%d %s'):format(diagnostic.lnum + 1, diagnostic.code)
  end, vim.diagnostic.get(0))
  table.sort(found)
  return found
end

--- Waits for exactly these findings.
function M.await_findings(expected)
  local ok = vim.wait(M.patience, function()
    return vim.deep_equal(M.findings(), expected)
  end, 10)
  M.check(ok, ('findings are %s instead of %s'):format(vim.inspect(M.findings()), vim.inspect(expected)))
end

M.ALL = { '19 WC201', '26 WC302', '27 WC101', '7 WC101' }

--- Puts the cursor on the first character of `needle` in the line (from 1).
function M.go_to(line, needle)
  local text = vim.api.nvim_buf_get_lines(0, line - 1, line, true)[1]
  local column = text:find(needle, 1, true)
  M.check(column, ('no %s in line %d'):format(needle, line))
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
end

--- The text of the one floating window, once there is one.
function M.float()
  return M.await(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
      end
    end
  end, 'no floating window')
end

--- Asks the server as a client of either version does, and waits for the answer.
function M.request(client, method, params)
  local send = M.modern and function(...)
    return client:request_sync(...)
  end or client.request_sync
  local answer, problem = send(method, params, M.patience, 0)
  M.check(answer and not answer.err, ('%s: %s'):format(method, vim.inspect(problem or answer and answer.err)))
  return answer.result
end

--- How often the kernel refused to send something out of this network, from its tables of counters: pairs of lines (IPv4),
--- names with values (IPv6).  A name server that is on this machine would be asked at a closed port.
local function refused()
  local named = {}
  local lines = vim.fn.readfile('/proc/net/snmp')
  for i = 1, #lines - 1, 2 do
    local names, values = vim.split(lines[i], ' '), vim.split(lines[i + 1], ' ')
    for j, name in ipairs(names) do
      named[names[1] .. name] = tonumber(values[j])
    end
  end
  for _, line in ipairs(vim.fn.readfile('/proc/net/snmp6')) do
    local name, value = line:match('^(%S+)%s+(%d+)')
    named[name] = tonumber(value)
  end
  return named['Ip:OutNoRoutes'] + named['Ip6OutNoRoutes'] + named['Udp:NoPorts'] + named['Udp6NoPorts']
end

--- Nothing was requested from the network, in a namespace that has only loopback.
local function check_network()
  if vim.env.WARPCOST_LOOPBACK then
    local interfaces = table.concat(vim.fn.readfile('/proc/net/dev', '', 10), '\n', 3)
    M.check(interfaces:find('^%s*lo:[^\n]*$'), 'more than loopback:\n' .. interfaces)
    M.equal(refused(), 0, 'requests to the network')
  end
end

--- Ends all clients in good order; what is left over would outlive the test.
function M.close()
  for _, client in ipairs(vim.lsp.get_clients()) do
    if M.modern then
      client:stop()
    else
      client.stop()
    end
  end
  M.await(function()
    return #vim.lsp.get_clients() == 0
  end, 'clients do not stop')
  check_network()
  print('PASS ' .. tostring(vim.version()) .. '\n')
end

return M
