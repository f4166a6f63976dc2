-- error: [unknown-type]
SELECT << x: struct(a int, a text) >> AS x
