SELECT id FROM some(lo => << lo >>, hi => << hi >>) ORDER BY id
