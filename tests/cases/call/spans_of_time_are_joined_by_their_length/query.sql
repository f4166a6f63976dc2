SELECT a.id, b.id AS other FROM rows AS a INNER JOIN rows AS b ON a.span = b.span AND a.id < b.id ORDER BY 1, 2
