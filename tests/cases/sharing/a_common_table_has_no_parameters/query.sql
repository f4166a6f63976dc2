WITH cheap AS (SELECT id FROM orders)
SELECT id
-- error: [invalid-query]
FROM cheap(most => << top >>)
