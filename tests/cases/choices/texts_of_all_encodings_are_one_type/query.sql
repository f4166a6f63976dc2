/*---
params:
  word:
    choices:
      column: status
      literal: "'all'"
      function: upper(status)
      cast: CAST(id AS text)
      glued: status || '!'
---*/
SELECT << word >> AS word FROM orders WHERE id = 1
