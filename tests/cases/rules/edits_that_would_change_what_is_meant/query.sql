SELECT o.id, c.name
FROM orders AS o
-- warning: [null-comparison]
LEFT JOIN customers AS c ON c.city = << city? >>
