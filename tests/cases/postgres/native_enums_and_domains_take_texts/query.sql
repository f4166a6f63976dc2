/*---
source: shop
---*/
SELECT id, mood::text AS mood, small FROM native_enums_and_domains_take_texts.t WHERE mood = << mood >> AND small <= << most >> AND mood IN << moods >> ORDER BY id
