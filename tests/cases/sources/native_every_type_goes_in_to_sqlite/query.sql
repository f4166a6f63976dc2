/*---
source: shop
---*/
SELECT id FROM t
WHERE id > 0
  [[ AND i = << i >> ]]
  [[ AND b = << b >> ]]
  [[ AND r = << r >> ]]
  [[ AND f = << f >> ]]
  [[ AND n = << n >> ]]
  [[ AND free = << free >> ]]
  [[ AND x = << x >> ]]
  [[ AND v = << v >> ]]
  [[ AND u = << u >> ]]
  [[ AND j = << j >> ]]
  [[ AND d = << d >> ]]
  [[ AND dt = << dt: timestamp >> ]]
  [[ AND ts = << ts: timestamp >> ]]
  [[ AND tz = << tz: timestamptz >> ]]
  [[ AND h = << h: time >> ]]
  [[ AND bl = << bl >> ]]
ORDER BY id
