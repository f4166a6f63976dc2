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
  [[ AND dt = << dt >> ]]
  [[ AND ts = << ts >> ]]
  [[ AND tz = << tz >> ]]
  [[ AND h = << h >> ]]
  [[ AND bl = << bl >> ]]
ORDER BY id
