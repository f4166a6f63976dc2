/*---
description: d
---*/
SELECT text FROM own(word => 'it''s "1.5"; -- x') AS o
