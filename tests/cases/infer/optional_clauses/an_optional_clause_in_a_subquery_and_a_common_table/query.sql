WITH recent AS (SELECT * FROM orders WHERE true [[ AND date_trunc('month', placed_at) >= << since >> ]])
SELECT count(*) AS n FROM customers AS c
WHERE EXISTS (SELECT 1 FROM recent AS r WHERE r.customer_id = c.id [[ AND r.status IN << statuses >> ]])
