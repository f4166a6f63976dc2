SELECT id
FROM orders
WHERE quantity > << a >> AND price > << a >>
  AND id = << b >> AND id IN (SELECT id FROM types WHERE medium = << b >> AND small < << b >>)
