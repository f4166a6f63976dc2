SELECT id FROM orders ORDER BY id LIMIT << rows = 1 + 1 >>
