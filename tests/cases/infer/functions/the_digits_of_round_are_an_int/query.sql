-- calls: 1, 0
SELECT count(*) AS n
FROM orders
WHERE round(price, << digits >>) = 20
