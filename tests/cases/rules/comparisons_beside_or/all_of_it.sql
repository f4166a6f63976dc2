SELECT id
FROM customers
-- warning: [null-comparison]
WHERE name = << word? >> OR city = << word? >>
ORDER BY id
