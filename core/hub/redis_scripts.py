"""What runs inside Redis: each script is atomic, so event, producer number and seq are written together or not at all.

Keys (``KEYS`` of every script, in this order): ``meta`` a hash (schema, stream, last, run), ``events`` the stream,
``owners`` and ``settled`` hashes by producer name, ``threads`` a hash by round, ``rounds`` a sorted set of the rounds
that have a thread by their newest seq. A number is the entry id ``<seq>-0``: Redis itself refuses one that does not
rise. Producer numbers go beyond what Lua counts exactly, so they are compared as texts.
"""

from __future__ import annotations

SCHEMA = 1

RESTARTED = "RESTARTED"
"""Begins the error of a script that was called for another stream than the one that is there."""
NEWER = "NEWER"
"""Begins the error of ``BEGIN`` where the schema is a later one."""

BEGIN = """
local schema, stream, run, sure = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local found = redis.call('HMGET', KEYS[1], 'schema', 'stream', 'last', 'run')
if found[1] and tonumber(found[1]) > tonumber(schema) then return redis.error_reply('NEWER ' .. found[1]) end
if not found[1] then
  if redis.call('EXISTS', KEYS[2]) == 1 then
    local newest = redis.call('XINFO', 'STREAM', KEYS[2])
    for i = 1, #newest, 2 do
      if newest[i] == 'last-generated-id' then found[3] = string.match(newest[i + 1], '^%d+') end
    end
  end
  found[2], found[3] = stream, found[3] or '0'
elseif (found[4] ~= run and sure ~= '1') or tonumber(found[3]) < tonumber(ARGV[5]) then
  found[2] = stream
end
redis.call('HSET', KEYS[1], 'schema', schema, 'stream', found[2], 'last', found[3], 'run', run)
local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)
local first = oldest[1] and string.match(oldest[1][1], '^%d+') or string.format('%.0f', tonumber(found[3]) + 1)
return {found[2], first, found[3]}
"""
"""schema, a new stream name, the server's run id, 1 where no acknowledged write can have been lost by its restart, the
newest seq that we were told of.

Makes what is not there. After a restart that may have lost something the stream gets the new name: numbers that were
given may be given again. Returns stream, first, last.
"""

APPEND = """
local found = redis.call('HMGET', KEYS[1], 'stream', 'last')
if found[1] ~= ARGV[1] then return redis.error_reply('RESTARTED') end
local seq, now, out = tonumber(found[2]), ARGV[2], {}
local names, rows = unpack(cjson.decode(ARGV[3]))
local owners, numbers, changed, threads, newest = {}, {}, {}, {}, {}
local function below(a, b)
  if #a ~= #b then return #a < #b end
  return a < b
end
local function thread_of(round)
  local known = threads[round]
  if known == nil then
    known = redis.call('HGET', KEYS[5], round) or ''
    threads[round] = known
  end
  return known
end
for i = 4, #ARGV do
  local row = (i - 4) * 8
  local owner, producer, n, before = names[rows[row + 1]], names[rows[row + 2]], rows[row + 3], rows[row + 4]
  local round, thread, parent = names[rows[row + 6]], names[rows[row + 7]], names[rows[row + 8]]
  local settled = numbers[producer]
  if settled == nil then
    owners[producer] = redis.call('HGET', KEYS[3], producer) or owner
    settled = redis.call('HGET', KEYS[4], producer) or '0'
    numbers[producer] = settled
  end
  local fate, given, of_round = 'stored', 0, thread
  if owners[producer] ~= owner then
    fate, settled = 'not_owner', '0'
  elseif not below(settled, n) then
    fate = 'duplicate'
  elseif settled ~= before then
    fate = 'gap'
  else
    if rows[row + 5] == 1 then
      fate = 'rejected'
    else
      if thread == '' and round ~= '' then
        of_round = thread_of(round)
        if of_round == '' and parent ~= '' then of_round = thread_of(parent) end
      end
      given = seq + 1
      local id = string.format('%.0f-0', given)
      redis.call('XADD', KEYS[2], id, 'l', ARGV[i], 'r', round, 't', of_round, 'a', now)
      seq = given
      if round ~= '' and of_round ~= '' then threads[round], newest[round] = of_round, seq end
    end
    settled = n
    numbers[producer], changed[producer] = n, true
  end
  local at = #out
  out[at + 1], out[at + 2], out[at + 3], out[at + 4] = fate, settled, given, of_round
end
redis.call('HSET', KEYS[1], 'last', string.format('%.0f', seq))
for producer in pairs(changed) do
  redis.call('HSET', KEYS[3], producer, owners[producer])
  redis.call('HSET', KEYS[4], producer, numbers[producer])
end
for round, at in pairs(newest) do
  redis.call('HSET', KEYS[5], round, threads[round])
  redis.call('ZADD', KEYS[6], at, round)
end
return out
"""
"""stream, now in milliseconds, a JSON array of names and of eight fields an event (owner, producer, n, n - 1, 1 where
it is bad, round, thread, parent; names by their place), then the lines: an argument costs more than a field of one.

Returns fate, settled, seq (0: none), thread of each, one after the other.

What is known of producers and rounds is read once and written once. An error undoes nothing here, so the order counts:
what a key of another kind, or an id that does not rise, makes fail is asked before a producer's number is written.
"""

PAGE = """
local after, most_bytes, most_entries = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local rounds, threads, at = {}, {}, 5
local wants_rounds, wants_threads = tonumber(ARGV[4]), 0
for i = 1, wants_rounds do rounds[ARGV[at]] = true; at = at + 1 end
while at <= #ARGV do threads[ARGV[at]] = true; wants_threads = wants_threads + 1; at = at + 1 end
local last = redis.call('HGET', KEYS[1], 'last') or '0'
local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)
local first = oldest[1] and string.match(oldest[1][1], '^%d+') or string.format('%.0f', tonumber(last) + 1)
local out, count, size, seen, through = {}, 0, 0, 0, after
local sub = string.sub
while size < most_bytes and seen < most_entries do
  local entries = redis.call('XRANGE', KEYS[2], '(' .. string.format('%.0f-0', through), '+', 'COUNT', 64)
  local seq
  for i = 1, #entries do
    local fields = entries[i][2]
    seq = sub(entries[i][1], 1, -3)
    if (wants_rounds == 0 or rounds[fields[4]]) and (wants_threads == 0 or threads[fields[6]]) then
      local line = fields[2]
      out[count + 1], out[count + 2] = seq, line
      count = count + 2
      size = size + #line
      if size >= most_bytes then break end
    end
  end
  if seq then through = tonumber(seq) end
  seen = seen + #entries
  if #entries < 64 and size < most_bytes then
    if tonumber(last) > through then through = tonumber(last) end
    break
  end
end
return {first, string.format('%.0f', through), out}
"""
"""after, most bytes, most entries looked at, number of rounds, the rounds, the threads.

Returns first, through, then seq and line of each event, one after the other: joining them here costs a third more.
"""

TRIM = """
if redis.call('HGET', KEYS[1], 'stream') ~= ARGV[1] then return redis.error_reply('RESTARTED') end
local keep, cutoff, bytes, step = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local held = redis.call('XLEN', KEYS[2])
local most = math.min(step, held - 1)
local go = 0
if keep and held - keep > go then go = held - keep end
if bytes and go < most and redis.call('MEMORY', 'USAGE', KEYS[2]) > bytes then go = most end
if go > most then go = most end
if most < 1 then
  local only = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)
  return {0, only[1] and string.match(only[1][1], '^%d+') or '0'}
end
local entries = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', most + 1)
if cutoff then
  while go < most and tonumber(entries[go + 1][2][8]) < cutoff do go = go + 1 end
end
local first = string.match(entries[go + 1][1], '^%d+')
if go > 0 then
  redis.call('XTRIM', KEYS[2], 'MINID', '=', first .. '-0')
  local idle = redis.call('ZRANGEBYSCORE', KEYS[6], '-inf', '(' .. first, 'LIMIT', 0, step)
  for _, round in ipairs(idle) do
    redis.call('HDEL', KEYS[5], round)
    redis.call('ZREM', KEYS[6], round)
  end
end
return {go, first}
"""
"""stream, events to keep, moment in milliseconds, bytes (each empty: no bound), most to remove. The newest stays.
Returns how many went, and first."""
