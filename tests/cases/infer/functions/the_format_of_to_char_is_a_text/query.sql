SELECT count(*) AS n
FROM orders
WHERE to_char(day, << form >>) = << text >>
