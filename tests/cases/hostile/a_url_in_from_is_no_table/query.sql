SELECT *
-- error: [unknown-table]
FROM "https://example.com/orders.parquet"
