SELECT id, items.size.w, size.h FROM items ORDER BY items.size.w
