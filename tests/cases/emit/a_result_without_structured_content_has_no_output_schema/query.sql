/*---
description: All labels.
structured_output: false
---*/
SELECT DISTINCT label
FROM types
