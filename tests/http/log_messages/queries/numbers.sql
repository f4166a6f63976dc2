/*---
description: Numbers from 1.
params:
  most: { description: The last one., minimum: 1 }
result_limit: 3
expose: [limit]
---*/
SELECT value AS n FROM generate_series(1, 50) WHERE value <= << most >>
