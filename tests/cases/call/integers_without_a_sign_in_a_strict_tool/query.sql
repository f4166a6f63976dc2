/*---
strict: true
params:
  id: { minimum: 2, allowed_values: [9223372036854775808, 18446744073709551615] }
---*/
SELECT name FROM unsigned WHERE id = << id >>
