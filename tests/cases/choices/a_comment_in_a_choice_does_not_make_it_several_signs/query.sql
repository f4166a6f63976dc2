/*---
params:
  x:
    choices:
      more: quantity + 1 -- one more
      plain: quantity -- as it is
---*/
SELECT 2 * << x >> AS x FROM orders WHERE id = 5
