/*---
strict: true
---*/
SELECT << at: timestamptz = now() - interval '1 day' >> AS at, << n: bigint = 2 + 3 >> AS n
