SELECT id
FROM orders
-- warning: [null-comparison]
WHERE NOT (note = << note? >>)
ORDER BY id
