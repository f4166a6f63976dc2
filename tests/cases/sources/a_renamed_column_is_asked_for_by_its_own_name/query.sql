SELECT id, price, word FROM details WHERE price > << above >> AND word <> << word >> ORDER BY id
