/*---
params: { at: { exclusive_minimum: "2024-01-01", maximum: "2024-12-31T12:00" } }
---*/
SELECT << at: timestamp >> AS at
