SELECT id,
       -- error: [unknown-function]
       localtimestamp AS at,
       -- error: [unknown-function]
       len(note) AS length,
       -- error: [unknown-function]
       getdate() AS today,
       -- error: [unknown-function]
       sysdate() AS also_today,
       -- error: [unknown-function]
       isnull(note, 'none') AS note,
       -- error: [unknown-function]
       if(quantity > 1, 'many', 'one') AS words,
       -- error: [unknown-function]
       year(placed_at) AS year
FROM orders
