SELECT id
FROM orders
WHERE status = 'open'
-- warning: [unordered-limit]
LIMIT << most >> OFFSET << skip = 0 >>
