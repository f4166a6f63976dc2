SELECT id
-- error: [unknown-table]
FROM invoices
