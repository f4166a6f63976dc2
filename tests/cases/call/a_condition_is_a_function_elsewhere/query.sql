SELECT id, if(quantity > << many >>, 'many', 'few') AS words, iif(note IS NULL, 0, 1) AS noted,
       date_add(day, INTERVAL '1 month') AS later, date_sub(day, INTERVAL 1 DAY) AS before
FROM orders ORDER BY id
