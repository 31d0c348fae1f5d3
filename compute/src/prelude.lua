-- What programs find beside Lua's own functions, and what replaces those that cannot be bounded or depend on chance.
local find_pattern, emit = __find, __print
local next, type, tostring_, tonumber, error, select = next, type, tostring, tonumber, error, select
local insert, concat, unpack_ = table.insert, table.concat, table.unpack
local format_, rep_, sub = string.format, string.rep, string.sub
local floor, sqrt, huge = math.floor, math.sqrt, math.huge
__find, __print = nil, nil

-- Lua shows the addresses of tables, which differ from run to run.
function tostring(value)
  local kind = type(value)
  if kind == "table" or kind == "function" or kind == "userdata" or kind == "thread" then return kind end
  return tostring_(value)
end

function print(...)
  local parts = {}
  for at = 1, select("#", ...) do parts[at] = tostring((select(at, ...))) end
  emit(concat(parts, "\t"))
end

-- A stable merge sort: in Lua, so that it can be ended, and does not depend on a comparison that contradicts itself.
local function merge_sort(list, less, from, to, buffer)
  if from >= to then return end
  local middle = (from + to) // 2
  merge_sort(list, less, from, middle, buffer)
  merge_sort(list, less, middle + 1, to, buffer)
  for at = from, to do buffer[at] = list[at] end
  local left, right = from, middle + 1
  for at = from, to do
    if right > to or (left <= middle and not less(buffer[right], buffer[left])) then
      list[at] = buffer[left]
      left = left + 1
    else
      list[at] = buffer[right]
      right = right + 1
    end
  end
end

local function smaller(a, b) return a < b end

function table.sort(list, less)
  merge_sort(list, less or smaller, 1, #list, {})
end

-- Numbers first, then texts, then truth values.
local rank = { number = 1, string = 2, boolean = 3 }
local function key_before(a, b)
  local left, right = rank[type(a)] or 4, rank[type(b)] or 4
  if left ~= right then return left < right end
  if left <= 2 then return a < b end
  return tostring(a) < tostring(b)
end

-- The order of Lua's own pairs depends on chance.
function pairs(list)
  local keys = {}
  for key in next, list do keys[#keys + 1] = key end
  merge_sort(keys, key_before, 1, #keys, {})
  local at = 0
  return function()
    at = at + 1
    local key = keys[at]
    if key ~= nil then return key, list[key] end
  end
end
_G.next = nil

table.move = nil
table.pack = nil
math.random, math.randomseed = nil, nil
string.dump, string.pack, string.unpack, string.packsize = nil, nil, nil, nil
utf8.charpattern = nil

function string.rep(text, times, between)
  if times > 1 and #text + #(between or "") == 0 then return "" end
  return rep_(text, times, between)
end

function string.format(pattern, ...)
  if find_pattern(pattern, "%%[-+ #0-9.]*p", 1) then error("%p is not supported", 2) end
  local parts = { n = select("#", ...), ... }
  for at = 1, parts.n do
    if type(parts[at]) == "table" then parts[at] = "table" end
  end
  return format_(pattern, unpack_(parts, 1, parts.n))
end

local function captures(found)
  return unpack_(found, 1, found.count)
end

local function start(text, from)
  from = from or 1
  if from < 0 then from = #text + from + 1 end
  return from < 1 and 1 or from
end

local magic = "[%^%$%*%+%?%.%(%)%[%]%%%-]"
local function quoted(text)
  local parts, at = {}, 1
  while true do
    local found = find_pattern(text, magic, at)
    if not found then break end
    parts[#parts + 1] = sub(text, at, found.from - 1) .. "%" .. found[1]
    at = found.to + 1
  end
  parts[#parts + 1] = sub(text, at)
  return concat(parts)
end

function string.find(text, pattern, from, plain)
  text = tostring(text)
  local found = find_pattern(text, plain and quoted(pattern) or pattern, start(text, from))
  if not found then return nil end
  if found.count == 1 and found[1] == sub(text, found.from, found.to) and not find_pattern(pattern, "%(", 1) then
    return found.from, found.to
  end
  return found.from, found.to, captures(found)
end

function string.match(text, pattern, from)
  text = tostring(text)
  local found = find_pattern(text, pattern, start(text, from))
  if not found then return nil end
  return captures(found)
end

function string.gmatch(text, pattern)
  text = tostring(text)
  local at = 1
  return function()
    if at > #text + 1 then return nil end
    local found = find_pattern(text, pattern, at)
    if not found then
      at = #text + 2
      return nil
    end
    at = found.to >= found.from and found.to + 1 or found.from + 1
    return captures(found)
  end
end

local function replacement(by, whole, found)
  local kind = type(by)
  if kind == "string" or kind == "number" then
    local text, parts, at = tostring(by), {}, 1
    while true do
      local mark = find_pattern(text, "%%(.)", at)
      if not mark then break end
      local digit = tonumber(mark[1])
      parts[#parts + 1] = sub(text, at, mark.from - 1)
      parts[#parts + 1] = digit == 0 and whole or digit and (found[digit] or "") or mark[1]
      at = mark.to + 1
    end
    parts[#parts + 1] = sub(text, at)
    return concat(parts)
  end
  local value
  if kind == "table" then value = by[found[1]] else value = by(captures(found)) end
  if value == nil or value == false then return whole end
  return tostring(value)
end

function string.gsub(text, pattern, by, most)
  text = tostring(text)
  local parts, at, count = {}, 1, 0
  local anchored = sub(pattern, 1, 1) == "^"
  while count < (most or huge) and at <= #text + 1 do
    local found = find_pattern(text, pattern, at)
    if not found then break end
    count = count + 1
    local whole = sub(text, found.from, found.to)
    parts[#parts + 1] = sub(text, at, found.from - 1)
    parts[#parts + 1] = replacement(by, whole, found)
    at = found.to + 1
    if whole == "" then
      parts[#parts + 1] = sub(text, found.from, found.from)
      at = found.from + 1
    end
    if anchored then break end
  end
  parts[#parts + 1] = sub(text, at)
  return concat(parts), count
end

-- The values of a column of rows, or those of a list; what is unbound is left out.
function values(list, column)
  local found = {}
  for at = 1, #list do
    local value = list[at]
    if column ~= nil then value = value[column] end
    if value ~= nil then found[#found + 1] = value end
  end
  return found
end

local function numbers(list, column)
  local found = values(list, column)
  for at, value in ipairs(found) do
    local number = tonumber(value)
    if not number then error("\"" .. tostring(value) .. "\" is not a number", 3) end
    found[at] = number
  end
  return found
end

function sum(list, column)
  local total = 0
  for _, value in ipairs(numbers(list, column)) do total = total + value end
  return total
end

function count(list, column) return #values(list, column) end

function mean(list, column)
  local found = numbers(list, column)
  if #found == 0 then return nil end
  local total = 0
  for _, value in ipairs(found) do total = total + value end
  return total / #found
end

-- The value below which a share of the values lies, by linear interpolation.
function quantile(list, column, share)
  if share == nil then column, share = nil, column end
  local found = numbers(list, column)
  if #found == 0 then return nil end
  table.sort(found)
  local place = (#found - 1) * share + 1
  local below = floor(place)
  local value = found[below]
  if below < #found and place > below then value = value + (place - below) * (found[below + 1] - value) end
  return value
end

function median(list, column)
  if column == nil then return quantile(list, 0.5) end
  return quantile(list, column, 0.5)
end

-- The standard deviation of a sample.
function stddev(list, column)
  local found = numbers(list, column)
  if #found < 2 then return nil end
  local middle, total = mean(found), 0
  for _, value in ipairs(found) do total = total + (value - middle) ^ 2 end
  return sqrt(total / (#found - 1))
end

-- Pearson's correlation of two columns, over the rows that have both.
function correlation(rows, one, other)
  local xs, ys = {}, {}
  for _, row in ipairs(rows) do
    local x, y = tonumber(row[one]), tonumber(row[other])
    if x and y then xs[#xs + 1], ys[#ys + 1] = x, y end
  end
  if #xs < 2 then return nil end
  local mx, my, sxy, sxx, syy = mean(xs), mean(ys), 0, 0, 0
  for at = 1, #xs do
    local x, y = xs[at] - mx, ys[at] - my
    sxy, sxx, syy = sxy + x * y, sxx + x * x, syy + y * y
  end
  if sxx == 0 or syy == 0 then return nil end
  return sxy / sqrt(sxx * syy)
end

-- A number with so many digits behind the point; halves go away from zero.
function round(number, digits)
  local scale = 10 ^ (digits or 0)
  local scaled = number * scale
  local rounded = scaled >= 0 and floor(scaled + 0.5) or -floor(-scaled + 0.5)
  if (digits or 0) <= 0 then return rounded * floor(1 / scale + 0.5) end
  return rounded / scale
end

function percent(part, whole, digits)
  if whole == 0 then error("a share of 0 has no percentage", 2) end
  return round(100 * part / whole, digits or 1)
end

-- The rows by the value of a column: a list per value. pairs goes through it in the order of the values.
function group(rows, column)
  local groups = {}
  for _, row in ipairs(rows) do
    local key = row[column]
    if key ~= nil then
      groups[key] = groups[key] or {}
      insert(groups[key], row)
    end
  end
  return groups
end

-- Rows of two results whose columns are equal, with the columns of both; where both have a column, that of the first.
function join(left, right, column, other)
  local by, joined = group(right, other or column), {}
  for _, row in ipairs(left) do
    for _, match in ipairs(row[column] ~= nil and by[row[column]] or {}) do
      local both = {}
      for name, value in pairs(match) do both[name] = value end
      for name, value in pairs(row) do both[name] = value end
      insert(joined, both)
    end
  end
  return joined
end

-- The rows in the order of a column; those without a value last.
function sort_by(rows, column, descending)
  local sorted = {}
  for at, row in ipairs(rows) do sorted[at] = row end
  table.sort(sorted, function(a, b)
    local x, y = a[column], b[column]
    if x == nil or y == nil then return x ~= nil and y == nil end
    if descending then return x > y end
    return x < y
  end)
  return sorted
end
