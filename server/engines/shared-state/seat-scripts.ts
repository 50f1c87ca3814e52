/*
 * Seats of one name are a sorted set: who has one, and until when, by the server's own clock. Whose time is over has left. So
 * has an instance that listens no more and has missed a beat: the server sees a process that was killed go at once. One that
 * does not know who listens, or may not say, leaves seats their whole time.
 */

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * KEYS: the seats. ARGV: who, how many there are, for how many milliseconds; where instances listen, before their names, and
 * how many milliseconds a seat has left at most when a beat was missed. Who has a seat is named by its instance and, after a
 * space, a number. Answers 1, or 0 when all are taken.
 */
export const TAKE_SEAT = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  for _, who in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now + ARGV[5])) do
    local listening = redis.pcall('PUBSUB', 'NUMSUB', ARGV[4] .. string.match(who, '^%S*'))
    if listening[2] == 0 then redis.call('ZREM', KEYS[1], who) end
  end
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/**
 * KEYS: a key that says that somebody was here, then seats. ARGV: milliseconds, then for each of the seats who and how many
 * there are. Answers for each 1, or 0 when it was lost and all are taken by now.
 */
export const RENEW_SEATS = `${NOW}
redis.call('SET', KEYS[1], now, 'PX', ARGV[1])
local kept = {}
for i = 2, #KEYS do
  local who, max = ARGV[2 * i - 2], tonumber(ARGV[2 * i - 1])
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  if redis.call('ZSCORE', KEYS[i], who) or redis.call('ZCARD', KEYS[i]) < max then
    redis.call('ZADD', KEYS[i], now + ARGV[1], who)
    redis.call('PEXPIRE', KEYS[i], ARGV[1])
    kept[#kept + 1] = 1
  else
    kept[#kept + 1] = 0
  end
end
return kept`;
