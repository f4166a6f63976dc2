/*---
params: { x: { choices: { first: "coalesce(note, '-') || status", second: "substr(status, 1, 2)" } } }
---*/
SELECT id, upper(<< x >>) || '!' AS text FROM orders WHERE id IN (1, 4) ORDER BY id
