SELECT a.id, b.id AS other
FROM by_status AS a
JOIN by_status AS b ON b.customer_id = a.customer_id AND b.id > a.id
ORDER BY a.id, b.id
