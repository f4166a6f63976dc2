/*---
strict: true
params: { age: { allowed_values: [25, "40"] } }
---*/
SELECT << age: int >> AS age
