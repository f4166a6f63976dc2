SELECT id, ms + << d: interval >> AS later, ms - << d >> AS earlier, << d >> + s AS of_seconds,
  ms + << d >> > ms AS is_later
FROM t ORDER BY id
