SELECT id,
       -- error: [unknown-function]
       localtimestamp AS at,
       -- error: [unknown-function]
       lengthb(note) AS length,
       -- error: [unknown-function]
       getdate() AS today,
       -- error: [unknown-function]
       sysdate() AS also_today,
       -- error: [unknown-function]
       isnull(note, 'none') AS note,
       -- error: [unknown-function]
       zeroifnull(quantity) AS words,
       -- error: [unknown-function]
       weekday(placed_at) AS weekday
FROM orders
