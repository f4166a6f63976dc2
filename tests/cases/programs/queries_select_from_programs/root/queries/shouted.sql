/*---
description: d
---*/
SELECT upper(text) AS loud FROM said(word => << w >>) AS s
