/*---
columns: { id: { type: bigint } } # error: [invalid-setting]
---*/
SELECT 1 AS id
