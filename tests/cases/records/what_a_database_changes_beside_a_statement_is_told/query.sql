/*---
description: What was done to whom.
---*/
SELECT record_id, field, source FROM told ORDER BY line
