/*--- { params: { by: { choices: { status: status, customer: customer_id, day: day } } } } ---*/
SELECT count(DISTINCT << by >>) AS n, count(*) AS orders FROM orders ORDER BY 1
