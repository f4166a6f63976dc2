/*---
description: Two spellings of a name may be two parameters.
---*/
SELECT id
FROM orders
WHERE id > << leastId: bigint >>
  AND total > << least_id: double >>
ORDER BY id
