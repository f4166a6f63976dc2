/*---
description: Reads.
source: todo # error: [invalid-setting]
---*/
SELECT id FROM todo
