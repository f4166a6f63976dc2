/*---
description: All notes with their tags.
result_limit: 20
lints: { missing-description: allow }
---*/
SELECT n.id, n.title, n.body, n.status, n.stars, n.due, t.tag FROM notes AS n LEFT JOIN tags AS t ON t.note = n.id ORDER BY n.id, t.tag
