/*---
description: Gives a thing another title.
source: todo
params: { id: { description: Which. }, title: { description: What it is. } }
---*/
UPDATE todo SET title = << title >> WHERE id = << id >>
