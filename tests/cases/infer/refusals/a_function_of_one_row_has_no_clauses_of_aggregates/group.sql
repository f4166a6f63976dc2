-- error: [invalid-query]
SELECT abs(quantity) WITHIN GROUP (ORDER BY id) AS n FROM orders
