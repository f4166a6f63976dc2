SELECT count(*) AS n
FROM orders
WHERE array_has(generate_series(<< a >>, << b >>), quantity)
  AND array_has(range(1, << c >>), id)
