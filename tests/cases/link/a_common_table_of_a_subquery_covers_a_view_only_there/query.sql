SELECT a.id
FROM (WITH shipped AS (SELECT id FROM customers WHERE vip) SELECT id FROM shipped) AS a
JOIN shipped AS b ON b.id = a.id
ORDER BY a.id
