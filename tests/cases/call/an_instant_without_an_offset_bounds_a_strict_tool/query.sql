/*---
strict: true
params: { at: { minimum: "2024-01-01T00:00:00" } }
---*/
SELECT << at: timestamptz >> AS at
