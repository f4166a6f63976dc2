SELECT id FROM some(lo => << low >>) ORDER BY id
