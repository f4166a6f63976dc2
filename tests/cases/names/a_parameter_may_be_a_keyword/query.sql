SELECT id
FROM orders
WHERE status = << select >> AND id = << from >> AND day >= << date >> AND quantity = << order >> AND note = << null >>
