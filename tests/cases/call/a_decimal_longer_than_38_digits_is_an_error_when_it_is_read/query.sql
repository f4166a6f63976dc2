/*---
description: Decimals of 50 digits, of which 38 can be read.
---*/
SELECT id, w, w * 2 AS twice FROM wide WHERE id <= << most >> ORDER BY id
