-- calls: 2, 0
SELECT count(*) AS n
FROM customers
WHERE left(city, << width >>) = 'Lo'
  AND lpad(name, << total >>, '.') <> repeat(name, << times >>)
  AND split_part(name, ' ', << word >>) <> substr(name, << start >>, << length >>)
