-- error: [unknown-column]
SELECT id FROM orders WHERE status = "open"
