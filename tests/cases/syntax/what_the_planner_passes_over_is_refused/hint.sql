SELECT id
-- error: [invalid-query]
FROM orders WITH (NOLOCK)
