SELECT id
FROM orders
-- error: [invalid-default]
WHERE day > current_date - << length: interval = 30 >>
