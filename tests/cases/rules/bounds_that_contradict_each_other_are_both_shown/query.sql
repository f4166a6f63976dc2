/*---
params:
  quantity:
    minimum: 10
    exclusive_minimum: 20
    # error: [invalid-constraint]
    maximum: 5
  since:
    exclusive_minimum: 2024-12-31
    # error: [invalid-constraint]
    exclusive_maximum: 2024-12-31
  statuses:
    min_items: 3
    min_length: 5
    # error: [invalid-constraint]
    max_items: 2
    # error: [invalid-constraint]
    max_length: 4
---*/
SELECT id
FROM orders
WHERE quantity = << quantity >> AND day >= << since >> AND status IN << statuses >>
