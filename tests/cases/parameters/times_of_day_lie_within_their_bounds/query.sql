/*---
params: { at: { minimum: "09:00", exclusive_maximum: "17:00" } }
---*/
SELECT << at: time >> AS at
