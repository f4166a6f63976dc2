/*---
description: Adds a note.
params: { title: { description: What. }, status: { description: How far. } }
source: app
expose: [idempotency_key]
---*/
INSERT INTO notes (title, status) VALUES (<< title >>, << status >>) RETURNING id, status
