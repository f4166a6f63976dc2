SELECT id FROM own(customer => << owner >>) ORDER BY id
