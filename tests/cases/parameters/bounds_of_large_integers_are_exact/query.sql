/*---
params: { big: { minimum: -9007199254740993, maximum: 9007199254740993 } }
---*/
SELECT << big: bigint >> AS big
