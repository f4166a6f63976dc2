/*---
description: d
---*/
SELECT loud || '!' AS louder FROM shouted(w => << z >>) AS s
