SELECT id
-- error: [unknown-table]
FROM shiped
