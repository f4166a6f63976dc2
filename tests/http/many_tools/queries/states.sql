/*--- { description: "The states that an order can be in, with their shares.", tags: [few] } ---*/
SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY status
