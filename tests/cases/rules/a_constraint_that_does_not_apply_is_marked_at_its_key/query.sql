/*---
params:
  vip:
    # error: [invalid-constraint]
    pattern:
      "^t"
  since:
    # error: [invalid-constraint]
    min_items:
      1
  ids:
    # error: [invalid-constraint]
    max_length:
      4
---*/
SELECT c.id
FROM customers AS c
JOIN orders AS o ON o.customer_id = c.id
WHERE c.vip = << vip >> AND o.day >= << since >> AND o.id IN << ids >>
