/*--- { description: A number. } ---*/
SELECT << n: int >> + 1 AS n
