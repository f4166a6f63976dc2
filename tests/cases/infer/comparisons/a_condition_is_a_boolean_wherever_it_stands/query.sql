-- calls: 11, 0
SELECT count(*) FILTER (WHERE << a >>) AS n
FROM orders AS o
JOIN customers AS c ON << b >> AND o.customer_id = c.id
WHERE CASE WHEN << e >> THEN c.vip ELSE true END
HAVING << f >> OR count(*) > 3
