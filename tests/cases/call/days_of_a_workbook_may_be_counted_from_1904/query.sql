SELECT o.id, o.day, o.at, u.day AS usual_day, u.at AS usual_at FROM old o JOIN usual u ON u.id = o.id WHERE o.day >= << since >> ORDER BY o.id
