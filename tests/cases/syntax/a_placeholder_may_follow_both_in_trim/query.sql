SELECT trim(BOTH << characters: text >> FROM note) AS trimmed
FROM orders
