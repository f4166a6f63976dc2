SELECT count(*) AS n
FROM customers
WHERE split_part(name, << separator >>, 1) = << given >>
  AND lpad(city, 12, << fill >>) <> rpad(<< other >>, 3)
