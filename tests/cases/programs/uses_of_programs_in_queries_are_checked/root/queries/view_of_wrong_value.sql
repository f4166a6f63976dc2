/*---
description: d
kind: view
---*/
-- error: [invalid-query]
SELECT day FROM weather(city => 'Ulm', days => 12) AS w
