SELECT count(*) AS n
FROM types
WHERE instant > now() - << a >> AND day <= current_date - << b >>
  AND date_trunc('month', moment) + << c >> > moment
