SELECT id, lag(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before
FROM orders
WHERE id <= 2 [[ OR price > << more >> ]]
GROUP BY id
HAVING count(*) = 1 AND id > 0
ORDER BY id
