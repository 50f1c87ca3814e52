/*
 * The seats of one name are a sorted set: holders by the end of their lease, on the server's clock. A holder
 * whose lease is over has lost the seat. So has a holder whose instance missed a beat and no longer listens:
 * the server notices a killed process at once. A server that cannot list channels keeps seats for their whole
 * lease.
 */

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * KEYS: the seats. ARGV: holder, number of seats, lease in milliseconds, prefix of the instances' channels,
 * longest remaining lease after a missed beat. A holder is named by its instance and, after a space, a
 * number. Returns 1, or 0 when all are taken.
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
 * KEYS: a key that shows that an instance was here, then seats. ARGV: lease in milliseconds, then for each
 * seat its holder and number of seats. Returns for each 1, or 0 if it was lost and all are taken.
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
