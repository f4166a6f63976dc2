-- Copyright 2024 Acme
-- All rights reserved

/* licence: MIT */

/*---
result_limit: 5
---*/
SELECT id FROM orders
