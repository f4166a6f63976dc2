-- error: [unknown-type]
SELECT << x: decimal(39,2) >> AS x
