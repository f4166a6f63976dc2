-- error: [unknown-type]
SELECT << x: map(text, int) >> AS x
