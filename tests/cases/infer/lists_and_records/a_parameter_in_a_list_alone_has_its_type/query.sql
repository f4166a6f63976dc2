-- calls: 1
WITH few AS (SELECT id FROM orders WHERE id < 3)
SELECT [<< p: bigint >>] AS alone, [(SELECT max(id) FROM few)] AS most, x, id
FROM (SELECT unnest(ARRAY[<< q >>]) AS x, id FROM orders)
WHERE x = id
