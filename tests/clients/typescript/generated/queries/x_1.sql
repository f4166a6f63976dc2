/*--- { description: One number. } ---*/
SELECT << x: int = 1 >> AS x
