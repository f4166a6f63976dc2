/*--- { strict: true } ---*/
SELECT << t?: time >> AS t, << at?: timestamp >> AS at
