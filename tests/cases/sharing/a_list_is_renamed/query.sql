SELECT id FROM some(ids => << numbers >>) ORDER BY id
