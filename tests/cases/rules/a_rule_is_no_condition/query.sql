/*---
rules:
  # error: [invalid-rule]
  - { check: << a >> + 1, message: Never. }
  # error: [invalid-rule]
  - { check: random() < 0.5 AND << a >> > 0, message: Never. }
---*/
SELECT id FROM orders WHERE quantity > << a >>
