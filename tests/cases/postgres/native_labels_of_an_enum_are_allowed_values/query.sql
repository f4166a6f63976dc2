/*---
source: shop
params:
  size: { description: How large., allowed_values: [large] }
---*/
SELECT id FROM native_labels_of_an_enum_are_allowed_values.t WHERE (mood = << mood >> OR mood IN << moods >>) AND size <= << size >> [[ AND mood <> << not >> ]] ORDER BY id
