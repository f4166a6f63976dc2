SELECT id FROM cheap(most => << top >>) WHERE quantity <= << top >> ORDER BY id
