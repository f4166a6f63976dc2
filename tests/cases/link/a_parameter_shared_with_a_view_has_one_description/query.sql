/*---
params:
  # error: [conflicting-configuration]
  status: { description: The state. }
---*/
SELECT id FROM by_status WHERE status = << status >>
