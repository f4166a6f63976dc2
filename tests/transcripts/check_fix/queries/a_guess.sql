/*---
description: What a person has to decide stays as it is.
---*/
SELECT id, total
FROM orders
WHERE id > << limit: bigint >>
ORDER BY id
