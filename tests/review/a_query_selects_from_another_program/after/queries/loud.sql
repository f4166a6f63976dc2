/*---
description: d
---*/
SELECT upper(text) AS t FROM said(w => 'b') AS s
