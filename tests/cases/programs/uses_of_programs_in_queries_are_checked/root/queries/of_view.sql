/*---
description: d
---*/
SELECT day FROM view_of_wrong_value AS v
