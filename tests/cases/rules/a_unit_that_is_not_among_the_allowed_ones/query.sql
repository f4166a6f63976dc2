/*---
params:
  unit:
    allowed_values: [year, month]
    # error: [default-not-allowed]
    default: day
    # error: [invalid-allowed-value]
    examples: [month, week]
---*/
SELECT id
FROM orders
WHERE date_trunc(<< unit >>, placed_at) = TIMESTAMP '2024-01-01'
