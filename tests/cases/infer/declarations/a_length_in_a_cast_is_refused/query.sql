-- error: [invalid-query]
SELECT CAST(status AS varchar(3)) AS short FROM orders WHERE price > << least >>
