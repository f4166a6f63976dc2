/*---
params:
  ids:
    minimum: 1
    default:
      - 1
      # error: [invalid-default]
      - 0
---*/
SELECT id FROM orders WHERE id IN << ids >>
