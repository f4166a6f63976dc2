SELECT << j?: json >> AS j, << j >> IS NULL AS absent
