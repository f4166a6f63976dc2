/*---
params:
  status: { hidden: true }
  least: { hidden: true }
---*/
SELECT count(*) AS orders FROM orders WHERE status = << status = 'open' >> [[ AND quantity >= << least >> ]]
