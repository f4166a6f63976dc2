SELECT table_name
-- error: [unknown-table]
FROM information_schema.tables
