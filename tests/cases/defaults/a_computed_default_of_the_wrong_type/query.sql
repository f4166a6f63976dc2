SELECT id FROM orders
-- error: [invalid-default]
WHERE quantity > << least = upper('x') >>
-- error: [invalid-default]
  AND day >= << since: date = 1 + 1 >>
-- error: [invalid-default]
  AND customer_id IN << customers = 1 + 1 >>
ORDER BY id
