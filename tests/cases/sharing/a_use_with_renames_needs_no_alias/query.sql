SELECT cheap.id FROM cheap(most => << top >>) WHERE cheap.quantity >= 5 AND price > 2 ORDER BY cheap.id
