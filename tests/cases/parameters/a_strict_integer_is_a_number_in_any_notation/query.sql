/*--- { strict: true } ---*/
SELECT << n: int >> AS n
