SELECT id,
       -- error: [invalid-query]
       if(quantity > 1, 'many') AS words,
       -- error: [invalid-query]
       date_add(day, 1, 'month') AS later,
       -- error: [invalid-query]
       group_concat(note, ',', 2) AS notes,
       -- error: [invalid-query]
       year(day, 1) AS year
FROM orders
