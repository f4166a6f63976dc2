SELECT count(*) AS orders FROM large
