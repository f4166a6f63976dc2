SELECT a.id FROM some(lo => << x >>, hi => << x >>) AS a JOIN some(lo => << hi >>) AS b ON b.id = a.id ORDER BY a.id
