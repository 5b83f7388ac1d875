"""The Lua scripts of tournaments: everything that must happen whole or not at all.

Each touches keys of one slot only, all of them declared. A tournament is a hash: `record`, `version` (rises with
every change that is to be seen), `status`, `end`, `problem`, `progress`, `standings` (they are large, and no list needs
them); its lease is `owner`, `fence`, `until`; `code` is the state of the code that it is played with, `tries` how often
it was taken up since it last came on.
"""

from __future__ import annotations

from typing import Final

from junto.table.connection import Script

RUNNING: Final = 1
CANCELLED: Final = 3
"""As `TournamentStatus` has them; a test compares them."""

_NOW: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

_CHANGED: Final = """
local function changed(channel, id)
  local version = redis.call('HINCRBY', KEYS[1], 'version', 1)
  redis.call('PUBLISH', channel, id .. ' ' .. version .. ' ')
end
"""

_HOLDER: Final = (
    _NOW
    + """
local function holds(owner, fence)
  local at = redis.call('HMGET', KEYS[1], 'status', 'owner', 'fence')
  return at[1] == '1' and at[2] == owner and at[3] == fence
end
local function prolong(life, keep)
  redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + life))
  redis.call('PEXPIRE', KEYS[1], keep)
end
"""
)

ENTER: Final = Script("""
-- Put a tournament on the desk: among those to be played and among its creator's.
-- KEYS  1 open, 2 the player's
-- ARGV  1 id, 2 when (ms), 3 most open at all, 4 most open of the player, 5 most kept of the player,
--       6 how long the player's list stays (ms)
-- Returns {'player'} or {'all'} if there are too many, else {'entered', ids that fell out of the player's list ...}.
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
local mine = redis.call('ZRANGE', KEYS[2], 0, -1)
local over, running = {}, 0
for _, id in ipairs(mine) do
  if id ~= ARGV[1] then
    if redis.call('ZSCORE', KEYS[1], id) then running = running + 1 else over[#over + 1] = id end
  end
end
if not known then
  if running >= tonumber(ARGV[4]) then return {'player'} end
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return {'all'} end
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])  -- a name that was left behind counts as new, or it would be cleared away
redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
local answer = {'entered'}
for at = 1, running + #over + 1 - tonumber(ARGV[5]) do
  if over[at] then
    redis.call('ZREM', KEYS[2], over[at])
    answer[#answer + 1] = over[at]
  end
end
return answer
""")

LEAVE: Final = Script("""
-- Take a tournament off those to be played.
-- KEYS  1 open, 2 its creator's    ARGV  1 id, 2 how long the creator's list stays (ms)
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
""")

CLEAR: Final = Script("""
-- Take a name off those to be played, unless somebody has asked for it again meanwhile.
-- KEYS  1 open    ARGV  1 id, 2 since when it is there (ms)
local since = redis.call('ZSCORE', KEYS[1], ARGV[1])
if since and tonumber(since) == tonumber(ARGV[2]) then redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1
""")

OPEN: Final = Script("""
-- Store a tournament, unless it is there.
-- KEYS  1 tournament    ARGV  1 record, 2 how long it stays (ms)
-- Returns 1 if it was stored, 0 if it was there.
if redis.call('HSETNX', KEYS[1], 'record', ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'status', '1', 'version', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
""")

TAKE: Final = Script(
    _NOW
    + _CHANGED
    + """
-- Take a tournament's lease, unless another holds it.
-- KEYS  1 tournament
-- ARGV  1 owner, 2 life of the lease (ms), 3 how long it all stays (ms), 4 state of the code, 5 channel, 6 id
-- Returns {'gone'}, {'over'}, {'held'}, or {'taken', fencing number, tries, state of the code it was begun with}.
local at = redis.call('HMGET', KEYS[1], 'status', 'until', 'fence')
if not at[1] then return {'gone'} end
if at[1] ~= '1' then return {'over'} end
if tonumber(at[2] or 0) > now then return {'held'} end
local fence = tonumber(at[3] or 0) + 1
redis.call('HSETNX', KEYS[1], 'code', ARGV[4])
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'fence', fence, 'until', string.format('%.0f', now + ARGV[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
changed(ARGV[5], ARGV[6])
return {'taken', fence, redis.call('HINCRBY', KEYS[1], 'tries', 1), redis.call('HGET', KEYS[1], 'code')}
"""
)

TELL: Final = Script(
    _HOLDER
    + _CHANGED
    + """
-- Prolong one's lease and, if there is something to tell, say how far the tournament is.
-- KEYS  1 tournament
-- ARGV  1 owner, 2 fencing number, 3 life of the lease (ms), 4 how long it all stays (ms), 5 progress, 6 standings
--       (both empty: as they were), 7 channel, 8 id
-- Returns 1, or 0 if the lease is another's by now or the tournament is over.
if not holds(ARGV[1], ARGV[2]) then return 0 end
prolong(ARGV[3], ARGV[4])
if ARGV[5] .. ARGV[6] ~= '' then
  redis.call('HSET', KEYS[1], 'progress', ARGV[5], 'standings', ARGV[6])
  changed(ARGV[7], ARGV[8])
end
return 1
"""
)

ADD: Final = Script(
    _HOLDER
    + """
-- Add an entry to the journal, once.
-- KEYS  1 tournament, 2 sittings
-- ARGV  1 owner, 2 fencing number, 3 life of the lease (ms), 4 how long it all stays (ms), 5 entries that the journal
--       has before it, 6 entry
-- Returns how many entries there are; -1 if the lease is another's by now or the tournament is over.
if not holds(ARGV[1], ARGV[2]) then return -1 end
local has = redis.call('LLEN', KEYS[2])
if has == tonumber(ARGV[5]) then
  has = redis.call('RPUSH', KEYS[2], ARGV[6])
  redis.call('HDEL', KEYS[1], 'tries')
end
prolong(ARGV[3], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return has
"""
)

END: Final = Script(
    _HOLDER
    + _CHANGED
    + """
-- End a tournament. What came of it is in its progress; the journal is not needed any more.
-- KEYS  1 tournament, 2 sittings
-- ARGV  1 owner, 2 fencing number, 3 status, 4 problem, 5 progress, 6 standings (both empty: as they
--       were), 7 how long it stays (ms), 8 channel, 9 id
-- Returns 1, or 0 if the lease is another's by now or the tournament is over.
if not holds(ARGV[1], ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'status', ARGV[3], 'problem', ARGV[4], 'until', 0, 'end', string.format('%.0f', now))
if ARGV[5] .. ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'progress', ARGV[5], 'standings', ARGV[6]) end
redis.call('UNLINK', KEYS[2])
redis.call('PEXPIRE', KEYS[1], ARGV[7])
changed(ARGV[8], ARGV[9])
return 1
"""
)

GIVE_BACK: Final = Script(
    _HOLDER
    + _CHANGED
    + """
-- Give a lease back: the tournament goes on another time.
-- KEYS  1 tournament    ARGV  1 owner, 2 fencing number, 3 1 if it was a failed try, else 0, 4 channel, 5 id
-- Returns 1, or 0 if the lease is another's by now or the tournament is over.
if not holds(ARGV[1], ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'until', 0)
if ARGV[3] == '0' then redis.call('HDEL', KEYS[1], 'tries') end
changed(ARGV[4], ARGV[5])
return 1
"""
)

CANCEL: Final = Script(
    _NOW
    + _CHANGED
    + """
-- Stop a tournament, if it is running.
-- KEYS  1 tournament, 2 sittings    ARGV  1 how long it stays (ms), 2 channel, 3 id
-- Returns the status that it has then; nil: there is none.
local status = redis.call('HGET', KEYS[1], 'status')
if status ~= '1' then return status end
redis.call('HSET', KEYS[1], 'status', '3', 'until', 0, 'end', string.format('%.0f', now))
redis.call('UNLINK', KEYS[2])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
changed(ARGV[2], ARGV[3])
return '3'
"""
)
