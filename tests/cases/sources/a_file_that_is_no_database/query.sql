SELECT 1 FROM t -- error: [unknown-table]
