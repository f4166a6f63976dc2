/*---
description: d
---*/
-- error: [invalid-query]
SELECT text FROM own(who => 'root') AS o
