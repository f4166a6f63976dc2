SELECT id
FROM orders
-- error: [reserved-name]
WHERE status = << table_format >>
