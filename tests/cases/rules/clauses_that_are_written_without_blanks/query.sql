/*---
description: Orders of a status.
---*/
SELECT id FROM orders WHERE(<<status?: text>>IS NULL OR status=<<status>>)AND(<<note?: text>>IS NULL OR note=<<note>>)AND(day = <<day?: date>>)
ORDER BY id LIMIT 10
