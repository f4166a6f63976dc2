/*--- { strict: true } ---*/
SELECT << d: decimal(5,2) >> AS d
