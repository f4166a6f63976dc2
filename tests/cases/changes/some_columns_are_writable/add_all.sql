/*---
description: Adds.
source: app
lints: { missing-description: allow }
---*/
-- error: [not-writable]
INSERT INTO notes VALUES (<< id >>, << title >>, << body >>, << status >>, << stars >>, << due >>)
