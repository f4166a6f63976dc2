/*---
params: { amount: { minimum: "0.10", maximum: 100 } }
---*/
SELECT count(*) AS rows FROM types WHERE amount >= << amount >>
