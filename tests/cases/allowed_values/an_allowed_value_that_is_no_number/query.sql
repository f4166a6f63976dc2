/*---
params:
  # error: [invalid-allowed-value]
  dbl: { allowed_values: { query: SELECT dbl FROM types } }
---*/
SELECT id FROM types WHERE dbl = << dbl >>
