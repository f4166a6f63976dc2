SELECT id FROM orders
-- error: [invalid-default]
WHERE quantity > << least = max(1) >>
-- error: [invalid-default]
  AND id > << first = row_number() OVER () >> ORDER BY id
