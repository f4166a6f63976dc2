/*---
description: Compares with a moment that is written as JSON has it.
source: todo
max_changes: 9
params: { id: { description: Which. } }
---*/
UPDATE todo SET done = true WHERE id = << id >> AND at < '2026-01-01T08:00:00' -- error: [foreign-statement]
