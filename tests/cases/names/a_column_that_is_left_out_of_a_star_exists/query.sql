-- error: [unknown-column]
SELECT * EXCLUDE (note, pricee) FROM orders WHERE quantity > << least >> ORDER BY id
