/*--- { strict: true } ---*/
-- calls: 5, "5", {"a":1}, "{\"a\": 1}": a strict tool takes what the schema says, and that lets a string be one
SELECT << j: json >> AS j
