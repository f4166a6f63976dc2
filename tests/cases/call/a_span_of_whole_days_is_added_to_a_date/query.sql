SELECT id, day + << d: interval >> AS later, day - << d >> AS earlier
FROM t
ORDER BY id
