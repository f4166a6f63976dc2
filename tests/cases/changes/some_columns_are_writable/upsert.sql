/*---
description: Adds.
source: app
lints: { missing-description: allow }
---*/
-- error: [not-writable]
INSERT INTO notes (title, stars) VALUES (<< title >>, << stars >>) ON CONFLICT (title) DO UPDATE SET body = 'x'
