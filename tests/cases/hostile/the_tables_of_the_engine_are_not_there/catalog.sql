-- error: [unknown-table]
SELECT * FROM pg_catalog.pg_tables
