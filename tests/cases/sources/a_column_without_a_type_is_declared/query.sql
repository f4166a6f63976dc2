SELECT id FROM t -- error: [unknown-table]
