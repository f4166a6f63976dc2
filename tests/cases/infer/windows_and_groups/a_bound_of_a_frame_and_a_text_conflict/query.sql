SELECT id
FROM orders
WHERE status = << x >>
-- error: [conflicting-types]
QUALIFY sum(quantity) OVER (ORDER BY id ROWS BETWEEN << x >> PRECEDING AND CURRENT ROW) > 10
