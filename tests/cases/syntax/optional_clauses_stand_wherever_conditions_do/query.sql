SELECT o.customer_id, count(*) AS orders, count(*) FILTER (WHERE o.price > 1 [[ AND o.price < << cheap >> ]]) AS few
FROM orders AS o
JOIN customers AS c ON c.id = o.customer_id [[ AND c.city = << city >> ]]
WHERE o.id > 0 [[ AND o.status = << status >> ]]
GROUP BY o.customer_id
HAVING count(*) > 0 [[ AND sum(o.quantity) > << total >> ]]
QUALIFY row_number() OVER (ORDER BY o.customer_id) > 0 [[ AND sum(o.price) > << revenue >> ]]
