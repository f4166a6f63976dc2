/*---
description: d
---*/
-- error: [invalid-query]
SELECT day FROM small(c => 'x') AS q
