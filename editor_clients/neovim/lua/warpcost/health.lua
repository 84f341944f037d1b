--- `:checkhealth warpcost`

local warpcost = require('warpcost')

local M = {}

--- Runs a command and gives what it printed, or nil with why not.
local function output_of(command)
  local ok, process = pcall(vim.system, command, { text = true, timeout = 10000 })
  if not ok then
    return nil, tostring(process)
  end
  local done = process:wait()
  if done.code ~= 0 then
    local said = vim.trim((done.stderr or '') .. (done.stdout or ''))
    return nil, said ~= '' and said or ('it ended with status %d'):format(done.code)
  end
  return vim.trim(done.stdout)
end

--- The command that starts the server: that of a running client, of the configuration, or the default.
local function command()
  local running = vim.lsp.get_clients({ name = warpcost.NAME })[1]
  local config = running and running.config or vim.lsp.config and vim.lsp.config[warpcost.NAME]
  return (config or warpcost.configuration()).cmd
end

--- The same command, asked for its version: options of the server's own are left out.
local function asking_for_version(words)
  local asked = vim.tbl_filter(function(word)
    return word ~= '--stdio'
  end, words)
  return vim.list_extend(asked, { '--version' })
end

local function check_editor()
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.10') == 0 then
    vim.health.error('Neovim ' .. version .. ' is too old', 'Neovim 0.10 or later is needed')
  elseif vim.lsp.enable then
    vim.health.ok('Neovim ' .. version .. " has vim.lsp.enable('warpcost')")
  else
    vim.health.ok('Neovim ' .. version .. ": the server starts by require('warpcost').setup()")
  end
  if vim.filetype.match({ filename = 'a.cu' }) == 'cuda' then
    vim.health.ok('`.cu` files have the filetype cuda')
  else
    vim.health.warn('`.cu` files do not have the filetype cuda', "vim.filetype.add({ extension = { cu = 'cuda' } })")
  end
end

local function check_server()
  local words = command()
  if type(words) ~= 'table' then
    vim.health.info('the server is started by a function of your configuration')
    return
  end
  local shown = table.concat(words, ' ')
  if vim.fn.executable(words[1]) == 0 then
    vim.health.error(('`%s` is not executable'):format(words[1]), {
      'install it, in a checkout of warpcost: python3 -m pip install .',
      "or say where it is: require('warpcost').setup({ cmd = { '/where/it/is/warpcost', 'lsp', '--stdio' } })",
    })
    return
  end
  local version, problem = output_of(asking_for_version(words))
  if version then
    vim.health.ok(('`%s` is %s'):format(shown, version))
  else
    vim.health.error(('`%s` does not work: %s'):format(shown, problem))
  end
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = warpcost.NAME })
  if #clients == 0 then
    vim.health.info('no server is running; it starts with the first CUDA file')
  end
  for _, client in ipairs(clients) do
    local status = warpcost.last_status(client.id)
    local buffers = vim.tbl_count(client.attached_buffers)
    local line = ('client %d serves %d buffer(s), columns in %s'):format(client.id, buffers, client.offset_encoding)
    if status and status.health ~= 'ok' then
      vim.health.warn(('%s: %s'):format(line, status.message or status.health))
    else
      vim.health.ok(line)
    end
    M._check_neighbours(client)
  end
end

--- Servers that count columns differently make 0.10 warn on every request that asks all of them.
function M._check_neighbours(client)
  for buffer in pairs(client.attached_buffers) do
    for _, other in ipairs(vim.lsp.get_clients({ bufnr = buffer })) do
      if other.id ~= client.id and other.offset_encoding ~= client.offset_encoding then
        vim.health.warn(
          ('`%s` counts columns in %s, warpcost in %s'):format(other.name, other.offset_encoding, client.offset_encoding),
          "give both the same: capabilities = { general = { positionEncodings = { 'utf-16' } } }"
        )
      end
    end
  end
end

function M.check()
  vim.health.start('warpcost: editor')
  check_editor()
  vim.health.start('warpcost: server')
  check_server()
  vim.health.start('warpcost: clients')
  check_clients()
end

return M
