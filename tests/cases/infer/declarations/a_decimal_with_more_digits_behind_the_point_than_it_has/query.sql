-- error: [unknown-type]
SELECT << x: decimal(2,3) >> AS x
