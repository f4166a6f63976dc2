-- calls: 1, 0, 0
SELECT count(*) AS n FROM types WHERE amount + << a >> > 0 AND << b >> - amount < 1 AND amount % << c >> = 0
