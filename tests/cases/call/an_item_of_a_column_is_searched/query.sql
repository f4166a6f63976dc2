SELECT id, tags FROM items WHERE array_has(tags, << tag: text >>) ORDER BY id
