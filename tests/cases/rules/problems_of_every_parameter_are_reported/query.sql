/*---
params:
  # error: [invalid-constraint]
  status: { minimum: 1 }
  quantity:
    # error: [invalid-allowed-value]
    allowed_values: [1, two]

    # error: [invalid-constraint]
    pattern: "("
---*/
SELECT id
FROM orders
WHERE status = << status >>
  AND quantity = << quantity >>

-- error: [invalid-default]
  AND price > << price = 'cheap' >>
