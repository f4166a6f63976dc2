/*---
description: Changes a key.
source: todo
params: { id: { description: Which. }, other: { description: What then. } }
---*/
UPDATE todo SET id = << other >> WHERE id = << id >> -- error: [foreign-statement]
