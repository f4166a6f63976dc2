SELECT id
FROM orders
WHERE date_diff('day', day, << until >>) > << most >>
  AND date_diff(<< unit >>, << since >>, placed_at) < 3
