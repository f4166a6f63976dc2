/*---
description: Echoes a number.
params:
  n: { description: A number., allowed_values: { query: "SELECT value FROM generate_series(1, 101)" } }
  codes: { description: Some codes., allowed_values: { query: "SELECT 'code ' || CAST(value AS text) FROM generate_series(1, 101)" } }
---*/
SELECT << n: bigint >> AS n, << codes: text[] >> AS codes
