SELECT id
-- warning: [unfiltered-scan]
FROM orders
ORDER BY id DESC
LIMIT 3
