SELECT id FROM own(customer => << who >>) WHERE id > << who >> ORDER BY id
