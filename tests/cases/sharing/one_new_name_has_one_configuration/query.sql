SELECT id FROM some(lo => << x >>, hi => << x >>) ORDER BY id
