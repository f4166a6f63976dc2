SELECT id
FROM types
-- error: [invalid-query]
WHERE amount = ANY (ARRAY[dbl])
