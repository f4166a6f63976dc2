SELECT id,
       -- error: [unknown-function]
       list_reduce(tags, (x, y) -> x + y) AS sum,
       -- error: [unknown-function]
       generate_subscripts(tags, 1) AS places,
       -- error: [unknown-function]
       epoch_ms(CAST(<< day: date >> AS timestamp)) AS ms,
       -- error: [unknown-function]
       list_transfrm(tags, x -> x) AS same,
       -- error: [unknown-function]
       lowre(CAST(id AS text)) AS small,
       -- error: [unknown-function]
       lowre(CAST(id AS text), 2) AS smaller
FROM items
