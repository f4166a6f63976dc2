/*---
params:
  x:
    choices:
      pieces: quantity
      # error: [syntax-error]
      more: quantity + / 2
  by: { choices: { status: status, note: note } }
---*/
SELECT id, << by >> AS key, << x >> AS n FROM orders ORDER BY << x >>, id
