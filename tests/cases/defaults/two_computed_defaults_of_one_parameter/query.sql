SELECT id FROM orders WHERE day >= << since = current_date - 7 >>
  AND placed_at >= << since = current_date - 7 >>
-- error: [conflicting-configuration]
  AND id > << first = 1 + 1 >> AND customer_id > << first = 1 + 2 >> ORDER BY id
