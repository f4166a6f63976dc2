/*---
lints: { large-definition: allow }
---*/
SELECT status FROM listed
