/*---
# error: [unknown-key]
titel: Orders

# error: [unknown-key]
tag: [a]
params:
  # error: [unknown-key]
  status: { typ: text }
---*/
SELECT id FROM orders WHERE status = << status >>
