/*---
params:
  since: { description: First day., default: { sql: "current_date - interval '7 days'" } }
  until: { default: { sql: current_date } }
---*/
SELECT id, day FROM orders WHERE day BETWEEN << since >> AND << until >> ORDER BY id
