SELECT id FROM few(most => << top >>) ORDER BY id
