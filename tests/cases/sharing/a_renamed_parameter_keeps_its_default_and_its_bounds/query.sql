SELECT id FROM some(most => << top >>, since => << from_day >>, status => << state >>, city => << town >>) ORDER BY id
