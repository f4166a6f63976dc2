SELECT id
FROM orders
WHERE day >= << since = current_date - 7 >>
-- error: [conflicting-configuration]
  OR day = << since = current_date - 30 >>
