/*---
source: shop
---*/
SELECT current_setting('app.tenant') AS tenant, current_setting('app.region') AS region, id FROM session_tells_who_calls.orders WHERE id = << id >>
