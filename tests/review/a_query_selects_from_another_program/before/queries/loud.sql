/*---
description: d
---*/
SELECT upper(text) AS t FROM said(w => 'a') AS s
