/*---
extends: base
---*/
SELECT id FROM base(customer => << c >>, status => << s >>, least => << l >>, most => << m >>) ORDER BY id
