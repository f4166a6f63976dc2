/*---
kind: view
params:
  lo: { description: The least. }
  # error: [conflicting-configuration]
  hi: { description: The most. }
---*/
SELECT id FROM orders WHERE price BETWEEN << lo >> AND << hi >>
