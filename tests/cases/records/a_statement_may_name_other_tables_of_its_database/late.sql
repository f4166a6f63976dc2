/*---
description: Closes what was to be done.
source: app
max_changes: 9
params: { until: { description: Until when. } }
---*/
UPDATE todo SET done = true WHERE at < << until >>
