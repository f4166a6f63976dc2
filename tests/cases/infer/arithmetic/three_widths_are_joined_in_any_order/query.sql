SELECT count(*) AS n
FROM types
WHERE small <= << a >> AND medium >= << a >> AND big >= << a >>
  AND big >= << b >> AND small <= << b >> AND medium >= << b >>
  AND small <= << c >> AND single < << c >> AND medium >= << c >>
  AND medium >= << e >> AND small <= << e >> AND single < << e >>
