/*--- { strict: true } ---*/
SELECT << at: timestamptz >> AS at
