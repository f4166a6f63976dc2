SELECT count(*) AS n FROM above WHERE price > least
