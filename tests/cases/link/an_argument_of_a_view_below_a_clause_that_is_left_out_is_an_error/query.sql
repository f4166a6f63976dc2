SELECT count(*) AS n
FROM orders
WHERE true [[ AND id IN (SELECT id FROM of_price WHERE status = << status >>) ]]
