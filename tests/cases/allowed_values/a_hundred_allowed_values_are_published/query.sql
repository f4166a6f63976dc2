/*---
description: Echoes a number.
params:
  n: { description: A number., allowed_values: { query: "SELECT value FROM generate_series(1, 100)" } }
---*/
SELECT << n: bigint >> AS n
