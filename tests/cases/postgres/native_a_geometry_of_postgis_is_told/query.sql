/*---
source: shop
---*/
SELECT id, area FROM native_a_geometry_of_postgis_is_told.shops ORDER BY id -- error: [unsupported-type]
