/*---
params:
  ids:
    default:
      - 1
      # error: [invalid-default]
      - two
---*/
SELECT id FROM orders WHERE id IN << ids >>
