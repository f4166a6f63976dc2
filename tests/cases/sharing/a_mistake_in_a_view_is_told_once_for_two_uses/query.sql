SELECT a.id FROM wrong(most => << a >>) AS a JOIN wrong(most => << b >>) AS b ON b.id = a.id
