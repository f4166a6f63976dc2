SELECT n.id, m.id AS other
FROM n JOIN n AS m ON CASE WHEN n.den <> 0 THEN n.num / n.den >= m.id + << more: bigint >> ELSE m.id = 1 END
ORDER BY n.id, m.id
