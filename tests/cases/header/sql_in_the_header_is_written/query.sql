/*---
params:
  least:
    default: { sql: } # error: [invalid-value]
  most:
    # error: [invalid-value]
    default: { sql: 3 }
  sort:
    choices: { id: } # error: [invalid-value]
---*/
SELECT id FROM orders WHERE price > << least >> AND price < << most >> ORDER BY << sort >>
