SELECT count(*) AS n
FROM (SELECT named_struct('w', day, 'h', status) AS s FROM orders) AS t
WHERE s['w'] >= << a >>
  AND t.s.h = << b >>
  AND get_field(s, 'w') < << c >>
