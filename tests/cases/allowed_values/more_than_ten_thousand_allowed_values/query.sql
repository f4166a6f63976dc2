/*---
params:
  # error: [invalid-allowed-value]
  n: { allowed_values: { query: "SELECT value FROM generate_series(1, 10001)" } }
---*/
SELECT << n: bigint >> AS n
