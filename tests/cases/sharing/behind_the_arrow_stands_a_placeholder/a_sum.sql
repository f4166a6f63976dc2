SELECT id
-- error: [invalid-query]
FROM cheap(most => << top >> + 1)
