/*---
strict: true
---*/
SELECT << span: interval >> AS span
