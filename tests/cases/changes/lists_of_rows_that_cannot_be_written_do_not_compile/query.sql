/*---
description: Something.
source: app
params: { rows: { description: Rows. } }
---*/
-- error: [unbounded-change]
INSERT INTO notes (title) VALUES << rows >>
