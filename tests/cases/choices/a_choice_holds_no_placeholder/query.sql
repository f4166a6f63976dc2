/*---
params:
  metric:
    choices:
      good: price
      # error: [invalid-choice]
      more: price + << extra >>
      # error: [invalid-choice]
      only: << extra >>
---*/
SELECT id FROM orders WHERE << metric >> > << extra >> ORDER BY id
