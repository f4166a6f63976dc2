/*---
description: Something.
source: app
max_changes: 3
params: { rows: { description: Rows. } }
---*/
-- error: [foreign-statement]
INSERT INTO notes (title, body) VALUES << rows >>, ('x', 'y')
