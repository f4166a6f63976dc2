-- calls: 14, 2
SELECT count(*) AS n FROM orders WHERE << a >> BETWEEN quantity AND price OR << b >> BETWEEN price AND quantity
