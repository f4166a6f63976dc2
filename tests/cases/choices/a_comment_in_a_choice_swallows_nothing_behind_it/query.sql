/*---
params:
  sort:
    choices:
      most: quantity DESC -- most pieces first
      least: quantity /* least pieces << first >> */
---*/
SELECT id, quantity FROM orders WHERE id <= 9 ORDER BY << sort >>, id DESC
