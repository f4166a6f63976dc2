SELECT count(*) AS n
FROM orders
WHERE starts_with(status, << first >>)
  AND contains(status, << part >>)
  AND replace(status, << old >>, << new >>) <> status
  AND strpos(lower(<< city >>), 'o') > 0
