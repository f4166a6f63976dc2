SELECT id
FROM orders
WHERE price * quantity > << a >>
  AND quantity % 2 = << b >>
  AND length(note) < << c >>
  AND placed_at::date = << d >>
  AND upper(status) = << e >>
  AND extract(year FROM day) = << f >>
  AND date_trunc('month', placed_at) = << g >>
