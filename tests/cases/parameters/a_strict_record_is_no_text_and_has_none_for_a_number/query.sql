/*--- { strict: true } ---*/
SELECT << p: struct(name text, age int) >> AS p
