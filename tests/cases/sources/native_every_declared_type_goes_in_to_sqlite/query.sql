/*---
source: shop
---*/
SELECT id FROM t
WHERE id > 0
  [[ AND i = << i: bigint >> ]]
  [[ AND b = << b: boolean >> ]]
  [[ AND r = << r: real >> ]]
  [[ AND f = << f: double >> ]]
  [[ AND n = << n: decimal(12,2) >> ]]
  [[ AND free = << free: double >> ]]
  [[ AND x = << x: text >> ]]
  [[ AND v = << v: text >> ]]
  [[ AND u = << u: uuid >> ]]
  [[ AND j = << j: json >> ]]
  [[ AND d = << d: date >> ]]
  [[ AND dt = << dt: timestamp >> ]]
  [[ AND ts = << ts: timestamp >> ]]
  [[ AND tz = << tz: timestamptz >> ]]
  [[ AND h = << h: time >> ]]
  [[ AND bl = << bl: bytea >> ]]
ORDER BY id
