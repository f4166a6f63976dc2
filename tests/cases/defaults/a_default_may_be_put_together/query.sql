/*---
params:
  status: { default: { sql: CASE WHEN extract(month FROM current_date) < 7 THEN 'open' ELSE lower('SHIPPED') END } }
---*/
SELECT id FROM orders WHERE note LIKE << words = '%' || 'o' || '%' >> AND status = << status >> ORDER BY id
