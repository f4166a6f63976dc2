SELECT id, << label = 'x' >> AS label
FROM orders
WHERE quantity >= << least = 5 >> AND day >= << since = DATE '2024-05-01' >> AND status IN << statuses = ['open', 'shipped'] >>
  AND price < << below = 1e2 >>
ORDER BY id
