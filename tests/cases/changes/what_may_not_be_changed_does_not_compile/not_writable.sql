/*---
description: Something.
source: app
lints: { missing-description: allow }
---*/
-- error: [not-writable]
INSERT INTO log (note, what) VALUES (<< note >>, << what >>)
