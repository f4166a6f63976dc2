SELECT id
FROM orders
-- error: [invalid-default]
WHERE day > current_date - << days = 30 >>
