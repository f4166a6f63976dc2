/*---
extends: guarded
description: Open orders.
# warning: [replaced-guard]
scopes: [orders.open]
---*/
SELECT id FROM orders WHERE status = << status = 'open' >>
