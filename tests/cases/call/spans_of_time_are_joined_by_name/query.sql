SELECT count(*) AS n, min(span) AS shortest FROM rows AS a LEFT JOIN (SELECT span, id AS other FROM rows) AS b USING (span)
