SELECT id
FROM items
WHERE size = struct(<< w >>, << h >>)
  AND named_struct('w', << w2 >>, 'h', << h2 >>) = size
  AND size <> {w: << w3 >>, h: << h3 >>}
