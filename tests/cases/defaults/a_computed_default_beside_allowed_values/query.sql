/*---
params:
  # error: [invalid-default]
  status: { allowed_values: [open, shipped], default: { sql: "'op' || 'en'" } }
---*/
SELECT id FROM orders WHERE status = << status >> ORDER BY id
