SELECT count(*) AS n
FROM types
WHERE moment = << a >> AND CAST(moment AS timestamp(9)) >= << a >>
  AND CAST(moment AS timestamp(3)) <= << b >> AND moment = << b >>
  AND CAST(moment AS timestamp(0)) < << c >> AND << c >> >= CAST(moment AS timestamp(3))
  AND << e >> = CAST(moment AS timestamp(0))
