-- SPDX-License-Identifier: Apache-2.0
-- Somebody who debugs a file in Neovim, without a screen: launch, breakpoint, stop, variables, continue, end.
--
-- Environment: as for session.el.

local seen = { notices = {} }
vim.notify = function(text, level)
  if level and level >= vim.log.levels.WARN then
    table.insert(seen.notices, text)
  end
end

local function finish()
  seen.messages = vim.fn.execute("messages")
  local file = assert(io.open(vim.env.REPORT, "w"))
  file:write(vim.json.encode(seen))
  file:close()
  vim.cmd("qall!")
end

local function wait(what, test)
  if not vim.wait(30000, test, 20) then
    seen["gave-up"] = what
    finish()
  end
end

dofile(vim.env.LINES)
local dap = require("dap")
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.EDITED_FILE))
vim.api.nvim_win_set_cursor(0, { tonumber(vim.env.BREAK_LINE), 0 })
dap.toggle_breakpoint()
dap.run(dap.configurations.java[1])

wait("a stop", function()
  local session = dap.session()
  return session and session.stopped_thread_id and session.current_frame
end)
local session = dap.session()
local frame = session.current_frame
seen.line, seen.method = frame.line, frame.name

local function request(command, arguments)
  local answer
  session:request(command, arguments, function(err, body)
    answer = err and { error = tostring(err) } or { body = body }
  end)
  wait(command, function() return answer end)
  return assert(answer.body, answer.error)
end

local scope = request("scopes", { frameId = frame.id }).scopes[1]
seen.variables = {}
for _, each in ipairs(request("variables", { variablesReference = scope.variablesReference }).variables) do
  seen.variables[each.name] = each.value
end
seen.evaluated = request("evaluate", { expression = "1 + 2", frameId = frame.id, context = "repl" }).result
dap.continue()
wait("the end", function() return dap.session() == nil end)
finish()
