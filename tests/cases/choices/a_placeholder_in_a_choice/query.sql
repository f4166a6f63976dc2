/*---
params:
  x:
    choices:
      pieces: quantity
      # error: [invalid-choice]
      more: quantity + << add >>
---*/
SELECT id, << x >> AS n FROM orders WHERE id > << add >> ORDER BY id
