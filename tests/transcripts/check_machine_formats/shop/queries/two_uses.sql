SELECT id
FROM orders
WHERE id = << which >>
  AND status = << which >>
