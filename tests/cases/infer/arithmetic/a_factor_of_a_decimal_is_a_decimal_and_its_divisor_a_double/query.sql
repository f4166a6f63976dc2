-- calls: 1
SELECT count(*) AS n
FROM types
WHERE amount * << a >> < 1 AND amount / << b >> > 0 AND << c >> * amount > 0 AND << e >> / amount > 0
