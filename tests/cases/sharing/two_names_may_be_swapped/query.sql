SELECT id, price FROM some(lo => << hi >>, hi => << lo >>) ORDER BY id
