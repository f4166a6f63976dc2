/*---
rules:
  # error: [conflicting-types]
  - { check: << a >> = 'x', message: It is x. }
---*/
SELECT id FROM orders WHERE quantity > << a >>
