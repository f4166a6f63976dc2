SELECT id, area, place IS NOT NULL AS has_place FROM shops WHERE name <> << not >> ORDER BY id
