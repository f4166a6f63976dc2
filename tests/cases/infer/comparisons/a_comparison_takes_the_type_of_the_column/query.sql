SELECT id
FROM orders
WHERE id = << a >> AND quantity <> << b >> AND price < << c >> AND price <= << d >> AND day > << e >>
  AND placed_at >= << f >> AND << g >> = status AND status != << h >>
