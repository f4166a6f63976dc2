/*--- { description: 'Orders, by << status >>.' } ---*/
-- warning: [commented-placeholder]
-- AND total >= << least >> is missing
SELECT id
FROM orders -- << trailing
-- warning: [commented-placeholder]
/* << block: int = 1 >> /* << nested
   >> */ and [[ AND x ]] */
WHERE status = << status >>
