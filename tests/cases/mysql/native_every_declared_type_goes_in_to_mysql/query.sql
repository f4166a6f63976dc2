/*---
source: shop
---*/
SELECT id FROM native_every_declared_type_goes_in_to_mysql.t
WHERE id > 0
  [[ AND t1 = << t1: smallint >> ]]
  [[ AND ti = << ti: smallint >> ]]
  [[ AND su = << su: int >> ]]
  [[ AND iu = << iu: bigint >> ]]
  [[ AND bu = << bu: ubigint >> ]]
  [[ AND f = << f: real >> ]]
  [[ AND db = << db: double >> ]]
  [[ AND n = << n: decimal(12,3) >> ]]
  [[ AND b1 = << b1: boolean >> ]]
  [[ AND y = << y: smallint >> ]]
  [[ AND d = << d: date >> ]]
  [[ AND dt = << dt: timestamp >> ]]
  [[ AND ts = << ts: timestamptz >> ]]
  [[ AND c = << c: text >> ]]
  [[ AND e = << e: text >> ]]
  [[ AND j = << j: json >> ]]
  [[ AND vb = << vb: bytea >> ]]
  [[ AND u = << u: uuid >> ]]
  [[ AND flag = << flag: boolean >> ]]
  [[ AND clock = << clock: time >> ]]
ORDER BY id
