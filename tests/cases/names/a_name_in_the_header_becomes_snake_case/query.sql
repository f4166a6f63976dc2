/*--- { name: getHTTPResponse } ---*/
SELECT id FROM orders
