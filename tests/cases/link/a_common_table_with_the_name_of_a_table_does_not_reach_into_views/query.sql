WITH orders AS (SELECT id FROM customers WHERE vip)
SELECT count(*) AS both_of_them FROM orders JOIN shipped ON shipped.id = orders.id
