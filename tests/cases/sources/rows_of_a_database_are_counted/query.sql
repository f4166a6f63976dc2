SELECT count(*) AS n, count("Status") AS with_status, sum("Total") AS total, max("Due") AS due FROM orders WHERE "OrderId" <= << most >>
