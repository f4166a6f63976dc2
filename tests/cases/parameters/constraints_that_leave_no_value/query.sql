/*---
params:
  number:
    exclusive_minimum: 1
    # error: [invalid-constraint]
    exclusive_maximum: 2
  step:
    minimum: 1
    maximum: 4
    # error: [invalid-constraint]
    multiple_of: 5
  since:
    exclusive_minimum: 2024-01-31
    # error: [invalid-constraint]
    exclusive_maximum: 2024-02-01
  code:
    pattern: '^[A-Z]{5}$'
    # error: [invalid-constraint]
    max_length: 3
  long:
    pattern: '^[A-Z]{2,5}$'
    # error: [invalid-constraint]
    min_length: 6
  price: { exclusive_minimum: 1, exclusive_maximum: 2 }
---*/
SELECT id
FROM orders
WHERE id IN (<< number >>, << step >>) AND day > << since >> AND status IN (<< code >>, << long >>) AND price = << price >>
