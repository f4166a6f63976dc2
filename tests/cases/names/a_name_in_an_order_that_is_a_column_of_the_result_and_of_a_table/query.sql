-- error: [ambiguous-column]
SELECT -id AS id FROM orders WHERE id > << least >> ORDER BY abs(id - 2) LIMIT 1
