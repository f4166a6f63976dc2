-- error: [invalid-query]
SELECT regr_slope(DISTINCT price, quantity) AS c FROM orders
