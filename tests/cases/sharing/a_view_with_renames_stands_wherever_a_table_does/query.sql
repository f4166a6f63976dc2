WITH c AS (SELECT id FROM cheap(most => << a >>))
SELECT 'common' AS place, count(*) AS n FROM c
UNION ALL
SELECT 'subquery', count(*) FROM (SELECT id FROM cheap(most => << b >>)) AS s
UNION ALL
SELECT 'in', count(*) FROM orders WHERE id IN (SELECT id FROM cheap(most => << c >>))
UNION ALL
SELECT 'exists', count(*) FROM customers WHERE EXISTS (SELECT 1 FROM cheap(most => << d >>) AS x WHERE x.id = customers.id)
ORDER BY place
