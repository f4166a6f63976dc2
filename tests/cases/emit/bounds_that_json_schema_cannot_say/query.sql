/*---
params:
  day: { description: First day., minimum: 2024-01-01, maximum: 2024-12-31 }
  amount: { description: Smallest amount., minimum: "0.01", exclusive_maximum: "1000.00" }
  clock: { description: Time of day., minimum: "08:00" }
---*/
SELECT id FROM types WHERE day >= << day >> AND amount >= << amount >> AND clock >= << clock >>
