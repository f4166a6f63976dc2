/*--- { strict: true } ---*/
SELECT << n?: int >> AS n, << m: int = 5 >> AS m, << l?: text[] >> AS l
