-- error: [invalid-query]
SELECT CAST(price AS float(53)) AS p FROM orders
