SELECT o.day AS d, price
FROM orders AS o
WHERE status = 'open'
ORDER BY d, 2 DESC NULLS LAST
-- warning: [unordered-limit]
LIMIT << rows >> OFFSET << skip = 0 >>
