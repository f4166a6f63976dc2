SELECT id << 2 AS behind_a_name, 1 << 3 AS behind_a_number, (id) << 1 AS behind_a_bracket
FROM customers
