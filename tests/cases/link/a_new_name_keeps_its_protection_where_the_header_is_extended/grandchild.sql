/*---
extends: middle
---*/
SELECT id FROM middle(customer => << c >>, status => << s >>, least => << l >>, most => << m >>) ORDER BY id
