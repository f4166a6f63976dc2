SELECT count(*) AS n
FROM (SELECT DISTINCT date_trunc(<< unit = 'month' >>, day) AS period FROM orders) AS t
