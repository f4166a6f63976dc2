-- calls: 1
WITH logins AS (SELECT name AS user, id FROM customers)
SELECT user, logins.user AS again FROM logins WHERE user = << user >> AND logins.user = << user >> AND id > 0
