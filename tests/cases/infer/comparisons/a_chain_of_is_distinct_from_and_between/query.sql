SELECT id FROM orders WHERE quantity BETWEEN 1 AND << most >> IS DISTINCT FROM << wanted >> AND status = << status >> ORDER BY id
