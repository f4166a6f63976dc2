SELECT column_1, column_2, column_3 FROM points WHERE column_1 > << above >> ORDER BY column_1
