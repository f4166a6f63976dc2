SELECT id FROM orders WHERE status = << status >> AND quantity >= << least >>
