SELECT id
-- error: [invalid-query]
FROM cheap(most => 5)
