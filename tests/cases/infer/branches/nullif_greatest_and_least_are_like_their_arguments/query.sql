-- calls: 12, 2
SELECT count(*) AS n
FROM orders
WHERE nullif(quantity, << a >>) > 1
  AND nullif(<< b >>, status) = 'x'
  AND greatest(price, << c >>) > 50
  AND least(<< e >>, day) > DATE '2024-02-01'
  AND greatest(<< f >>, 2) < price
