-- error: [invalid-query]
SELECT size[<< x: text >>] AS x FROM items
