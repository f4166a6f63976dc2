/*---
description: Leaves a title out.
source: todo
params: { id: { description: Which. } }
---*/
INSERT INTO todo (id) VALUES (<< id >>) -- error: [foreign-statement]
