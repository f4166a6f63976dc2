SELECT id
FROM customers
-- warning: [null-comparison]
WHERE name = << word? >> OR id = << number >> AND city = << word? >>
ORDER BY id
