-- warning: [unnamed-column]
SELECT status AS sum_price, sum(price)
FROM orders
GROUP BY status
ORDER BY sum_price
