/*---
rules:
  # error: [invalid-rule]
  - { check: << fist >> > 0, message: More than nothing. }
---*/
SELECT id FROM orders WHERE quantity > << first >>
