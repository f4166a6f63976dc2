/*---
params: { of: { choices: { status: status, size: "CASE WHEN quantity > 2 THEN 'open' ELSE 'none' END" } } }
---*/
SELECT id, CASE << of >> WHEN 'open' THEN 'yes' WHEN 'shipped' THEN 'sent' ELSE 'no' END AS answer FROM orders WHERE id <= 4 ORDER BY id
