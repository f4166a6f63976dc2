SELECT id FROM orders ORDER BY id LIMIT << rows = 1 + 2 >> OFFSET << skip = 2 * 2 >>
