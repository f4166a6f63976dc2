SELECT id
-- error: [unknown-table]
FROM ordrs
