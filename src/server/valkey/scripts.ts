// What the counters in a Valkey run there, in its Lua: each script alone, by its clock. Calls are a set ordered by time.

/** The present. Calls that lie in the future, as after a clock was set back, happen now. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ahead = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')
for _, call in ipairs(ahead) do redis.call('ZADD', KEYS[1], now, call) end
`;

/**
 * A name for this call, the longest span, the largest count, then count and span of each window. Answers the present and, for each
 * window, what it held before: calls, the first of them, and the one after whose end there is room. -1: none.
 */
export const takeScript = `${NOW}
local answer = { now }
local isFree = true
for at = 4, #ARGV, 2 do
  local count, since = tonumber(ARGV[at]), '(' .. (now - ARGV[at + 1])
  local used = redis.call('ZCOUNT', KEYS[1], since, '+inf')
  local first = redis.call('ZRANGEBYSCORE', KEYS[1], since, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  local blocking = -1
  if used >= count then
    isFree = false
    blocking = tonumber(redis.call('ZREVRANGE', KEYS[1], count - 1, count - 1, 'WITHSCORES')[2])
  end
  table.insert(answer, used)
  table.insert(answer, first[2] and tonumber(first[2]) or -1)
  table.insert(answer, blocking)
end
if isFree then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return answer`;

/** A name for this try, how long tries count, how many are free, and the longest wait. Answers the wait; 0: it was counted. */
export const guessScript = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
local tries = redis.call('ZCARD', KEYS[1])
local wait = 0
if tries >= tonumber(ARGV[3]) then
  local last = tonumber(redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])
  wait = math.min(tonumber(ARGV[4]), 1000 * 2 ^ math.min(tries - ARGV[3], 16)) - (now - last)
end
if wait > 0 then return { math.ceil(wait) } end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { 0 }`;

/** A process, its places, the most of all, how long a note lasts, and the processes that are there. Answers 1: they are noted. */
export const sitScript = `
local isThere = {}
for at = 5, #ARGV do isThere[ARGV[at]] = true end
local total = tonumber(ARGV[2])
local seats = redis.call('HGETALL', KEYS[1])
for at = 1, #seats, 2 do
  if seats[at] ~= ARGV[1] then
    if isThere[seats[at]] then total = total + seats[at + 1] else redis.call('HDEL', KEYS[1], seats[at]) end
  end
end
if ARGV[2] == '0' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  return { 1 }
end
if total > tonumber(ARGV[3]) then return { 0 } end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return { 1 }`;
