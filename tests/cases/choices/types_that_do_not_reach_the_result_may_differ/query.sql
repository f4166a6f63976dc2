/*---
params:
  what: { choices: { status: status, pieces: quantity, day: day } }
---*/
WITH seen AS (SELECT DISTINCT << what >> AS value FROM orders)
SELECT count(*) AS n FROM seen
