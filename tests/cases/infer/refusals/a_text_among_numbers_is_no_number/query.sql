SELECT id
FROM types
-- error: [invalid-query]
WHERE amount IN (1.1, 'x')
