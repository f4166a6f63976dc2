/*---
params: { at: { minimum: "2024-01-01T00:00:00Z" } }
---*/
SELECT << at: timestamptz >> AS at
