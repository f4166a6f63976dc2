/*---
params:
  a: { examples: [[open, shipped], [open]] }

  # error: [invalid-allowed-value]
  b: { examples: [open] }
---*/
SELECT id FROM orders WHERE status IN << a >> AND status IN << b >>
