/*--- { description: Sum of all totals., tags: [totals], enabled: true } ---*/
SELECT sum(total) AS total FROM orders
