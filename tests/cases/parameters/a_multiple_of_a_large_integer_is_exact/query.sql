/*---
params: { n: { multiple_of: 2 } }
---*/
-- 9007199254740993 is even as a double. calls: two rows with notes, two refusals
SELECT << n: bigint >> AS n
