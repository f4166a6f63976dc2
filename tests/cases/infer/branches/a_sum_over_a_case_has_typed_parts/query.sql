-- calls: 240
SELECT sum(CASE WHEN status = << s >> AND price > << least >> THEN price * << f >> ELSE 0 END) AS total FROM orders
