/*--- { name: Cheap Orders, description: Orders below a price., result_limit: 3 } ---*/
SELECT id FROM orders WHERE price < << most >> ORDER BY id
