/*---
description: Keeps keys of calls.
source: todo
expose: [idempotency_key] # error: [invalid-setting]
params: { id: { description: Which. } }
---*/
DELETE FROM todo WHERE id = << id >>
