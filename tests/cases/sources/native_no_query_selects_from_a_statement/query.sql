SELECT id FROM own_sql -- error: [unknown-table]
