SELECT DISTINCT ON (id % 3) id % 3 AS rest, id FROM rows ORDER BY id % 3, id DESC, id % 3, id
