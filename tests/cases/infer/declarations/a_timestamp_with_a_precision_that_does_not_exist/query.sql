-- error: [unknown-type]
SELECT << x: timestamp(2) >> AS x
