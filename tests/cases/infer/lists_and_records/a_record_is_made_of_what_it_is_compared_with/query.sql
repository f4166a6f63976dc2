-- calls: 1
SELECT id
FROM items
WHERE named_struct('w', << w >>, 'h', << h >>) = size
  AND size <> {w: << other_w >>, h: << other_h >>}
