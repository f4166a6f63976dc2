SELECT id FROM few(middle => << top >>) ORDER BY id
