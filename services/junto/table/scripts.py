"""The Lua scripts: everything that must happen whole or not at all.

Each touches keys of one shard only, all of them declared, so that they run in a Redis Cluster.
"""

from __future__ import annotations

from typing import Final

from junto.table.connection import Script

COMMIT: Final = Script("""
-- Store one accepted command: all of it, or nothing.
-- KEYS  1 table, 2 log of its deal, 3 requests, 4 due;
--       only if the lists change: 5 listing, then r logs that retire, j lists of players who joined,
--       l lists of players who left
-- ARGV  1 table id, 2 version it was decided on (0: the table is new), 3 version it makes, 4 snapshot,
--       5 schema, 6 deal, 7 log entry, 8 when it is due (ms; empty: never), 9 channel of changes,
--       10 request id (empty: none), 11 hash of its content (16 bytes), 12 its result,
--       13 how long it is remembered (ms), 14 the place it takes among those remembered;
--       only if the lists change: 15 member of the listing (empty: as it is),
--       16 how long retired logs stay (ms), 17 r, 18 j, 19 l, 20 all players as JSON, 21 member of their lists
-- Returns 1 if it was stored; the version and result of the first time, as a string, if the request is known;
--       0 if its id is known with other content; a list of the version that the table is at if that is not ARGV[2].
local request = ARGV[10]
if request ~= '' then
  local known = redis.call('HGET', KEYS[3], request)
  if known then
    if string.sub(known, 1, 16) ~= ARGV[11] then return 0 end
    return string.sub(known, 17)
  end
end
local at = redis.call('HGET', KEYS[1], 'version') or '0'
if at ~= ARGV[2] then return {at} end
redis.call('HSET', KEYS[1], 'version', ARGV[3], 'snapshot', ARGV[4], 'schema', ARGV[5], 'deal', ARGV[6])
redis.call('XADD', KEYS[2], ARGV[3] .. '-0', 'e', ARGV[7])
if ARGV[8] == '' then
  redis.call('ZREM', KEYS[4], ARGV[1])
else
  redis.call('ZADD', KEYS[4], ARGV[8], ARGV[1])
end
if request ~= '' then
  local oldest = redis.call('HGET', KEYS[3], ARGV[14])
  if oldest then redis.call('HDEL', KEYS[3], oldest) end
  redis.call('HSET', KEYS[3], request, ARGV[11] .. ARGV[3] .. ' ' .. ARGV[12], ARGV[14], request)
  redis.call('PEXPIRE', KEYS[3], ARGV[13])
end
if KEYS[5] then
  if ARGV[15] ~= '' then
    local listed = redis.call('HGET', KEYS[1], 'listed')
    if listed then redis.call('ZREM', KEYS[5], listed) end
    redis.call('ZADD', KEYS[5], 0, ARGV[15])
    redis.call('HSET', KEYS[1], 'listed', ARGV[15])
  end
  local retired, joined = 5 + ARGV[17], 5 + ARGV[17] + ARGV[18]
  for i = 6, retired do redis.call('PEXPIRE', KEYS[i], ARGV[16]) end
  for i = retired + 1, joined do redis.call('ZADD', KEYS[i], 0, ARGV[21]) end
  for i = joined + 1, joined + ARGV[19] do redis.call('ZREM', KEYS[i], ARGV[21]) end
  if ARGV[20] ~= '' then redis.call('HSET', KEYS[1], 'players', ARGV[20]) end
end
redis.call('PUBLISH', ARGV[9], ARGV[1] .. ' ' .. ARGV[3] .. ' ' .. ARGV[8])
return 1
""")

REMOVE: Final = Script("""
-- Remove a table and all that belongs to it.
-- KEYS  1 table, 2 requests, 3 due, 4 listing, then p lists of its players, then its logs
-- ARGV  1 table id, 2 version it must be at, 3 channel of changes, 4 p, 5 member of the players' lists
-- Returns 1, or a list of the version that the table is at (0: there is none).
local at = redis.call('HGET', KEYS[1], 'version') or '0'
if at ~= ARGV[2] then return {at} end
local listed = redis.call('HGET', KEYS[1], 'listed')
if listed then redis.call('ZREM', KEYS[4], listed) end
redis.call('ZREM', KEYS[3], ARGV[1])
local players = 4 + ARGV[4]
for i = 5, players do redis.call('ZREM', KEYS[i], ARGV[5]) end
redis.call('UNLINK', KEYS[1], KEYS[2])
for i = players + 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
redis.call('PUBLISH', ARGV[3], ARGV[1] .. ' 0 ')
return 1
""")

ACQUIRE: Final = Script("""
-- Take a shard's lease, or prolong one's own, unless another holds it.
-- KEYS  1 lease    ARGV  1 owner, 2 life (ms)
-- Returns nil if another holds it, else {fencing number, last sign of life of whoever held it (ms), now (ms)}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = redis.call('HMGET', KEYS[1], 'owner', 'fence', 'until', 'pulse')
local held = tonumber(lease[3] or 0) > now
if held and lease[1] ~= ARGV[1] then return nil end
local fence = tonumber(lease[2] or 0)
if not held then fence = fence + 1 end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'fence', fence,
  'until', string.format('%.0f', now + ARGV[2]), 'pulse', string.format('%.0f', now))
return {fence, tonumber(lease[4] or 0), now}
""")

RELEASE: Final = Script("""
-- Give a lease back.
-- KEYS  1 lease    ARGV  1 owner, 2 fencing number
-- Returns 1, or 0 if it is another's by now.
local lease = redis.call('HMGET', KEYS[1], 'owner', 'fence')
if lease[1] ~= ARGV[1] or lease[2] ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'until', 0)
return 1
""")

BE_PRESENT: Final = Script("""
-- Sign in to a roster, and read it.
-- KEYS  1 roster    ARGV  1 name, 2 how long it stays (ms; 0: it leaves)
-- Returns the names of all who are present.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
return redis.call('ZRANGE', KEYS[1], 0, -1)
""")

ASK: Final = Script("""
-- Ask for a hint, unless too many are asked for already.
-- KEYS  1 hints    ARGV  1 job, 2 most, 3 how long the list stays (ms), 4 channel
-- Returns 1, or 0 if there are too many.
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], '')
return 1
""")

PROBE: Final = Script("""
-- Find out whether scripts may run, write and publish here, and what time it is.
-- KEYS  1 probe    ARGV  1 how long it stays (ms), 2 channel
-- Returns {seconds, microseconds} since 1970.
redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
redis.call('PUBLISH', ARGV[2], '')
return redis.call('TIME')
""")
