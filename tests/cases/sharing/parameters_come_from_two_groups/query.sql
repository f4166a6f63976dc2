/*--- { params_from: [common_dates, places] } ---*/
SELECT o.id FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
WHERE o.day BETWEEN << since >> AND << until >> AND c.city = << city >>
ORDER BY o.id
