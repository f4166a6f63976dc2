SELECT o.id, o.price FROM cheap(most => << top >>) AS o WHERE o.quantity >= 5 ORDER BY o.id
