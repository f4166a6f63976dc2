SELECT s.customers, count(o.id) AS orders FROM summary AS s CROSS JOIN shipped AS o GROUP BY s.customers
