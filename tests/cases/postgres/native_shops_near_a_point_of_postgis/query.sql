/*---
source: shop
---*/
SELECT id, name, round(ST_Distance(place, ST_MakePoint(<< lon >>, << lat >>)::geography) / 1000)::int AS km, ST_AsGeoJSON(place)::jsonb AS place
FROM native_shops_near_a_point_of_postgis.shops
WHERE ST_DWithin(place, ST_MakePoint(<< lon >>, << lat >>)::geography, << metres >>) [[ AND ST_Intersects(area, << area: text >>::geometry) ]]
ORDER BY place <-> ST_MakePoint(<< lon >>, << lat >>)::geography, id
