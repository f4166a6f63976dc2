/*---
description: Orders of some days.
params:
  since: { description: First day., default: { sql: current_date - 7 } }
  until: { description: Last day, default: { sql: "current_date - interval '1 day'" } }
  words: { description: A pattern., default: { sql: "'%`%' || ''" } }
---*/
SELECT id FROM orders WHERE day BETWEEN << since >> AND << until >> AND note NOT LIKE << words >> AND quantity >= << least = 1 + 1 >> ORDER BY id
