/*---
params:
  # error: [invalid-default]
  since: { default: { sql: 1 + 1 } }
  least:
    default:
      # error: [invalid-default]
      sql: current_date
---*/
SELECT id FROM orders WHERE day >= << since >> AND quantity >= << least >>
