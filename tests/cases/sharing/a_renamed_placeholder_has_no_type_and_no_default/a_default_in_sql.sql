SELECT id
-- error: [invalid-query]
FROM cheap(most => << top = 2 + 3 >>)
