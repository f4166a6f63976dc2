/*---
params:
  unit:
    allowed_values:
      - month
      # error: [invalid-allowed-value]
      - fortnight
---*/
SELECT id
FROM orders
WHERE date_trunc(<< unit >>, placed_at) = TIMESTAMP '2024-01-01'
