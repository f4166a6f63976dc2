/*--- { name: list_orders, description: "Orders, dearest first.", params: { status: { description: The state. } } } ---*/
SELECT id, total FROM orders WHERE true [[ AND status = << status >> ]] ORDER BY total DESC, id
