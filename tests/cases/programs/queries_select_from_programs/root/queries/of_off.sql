/*---
description: d
---*/
SELECT text FROM off(word => 'seen') AS o
