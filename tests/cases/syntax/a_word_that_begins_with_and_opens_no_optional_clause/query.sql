SELECT [[android, order_id]] AS pairs
FROM (SELECT id AS android, id AS order_id FROM orders) AS renamed
