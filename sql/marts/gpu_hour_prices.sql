-- What an accelerator hour costs at each price basis.
-- Unit of a row: an accelerator and a price basis (owning, rental).
-- Reads: prices; main.prices (every version) for the first price known.
-- A curated price stands in only where InferenceX states none, and only where it is one figure, not a range.
-- `first_usd_gpu_h` is the first price known of the same source: what costs at fixed prices are made with.
WITH hours AS (
  SELECT * FROM prices
  WHERE component = 'gpu_hour' AND unit = 'usd_gpu_h' AND price_basis IN ('owning', 'rental') AND low = high AND low > 0
),
chosen AS (
  SELECT * FROM hours
  QUALIFY row_number() OVER (PARTITION BY item, price_basis ORDER BY source <> 'inferencex', valid_from DESC, seller, low) = 1
),
firsts AS (
  SELECT item, price_basis, source, seller, arg_min(low, (valid_from, low)) AS first_usd_gpu_h, min(valid_from) AS first_from
  FROM main.prices
  WHERE component = 'gpu_hour' AND unit = 'usd_gpu_h' AND low = high AND low > 0
  GROUP BY ALL
)
SELECT c.item AS accelerator, c.vendor, c.price_basis, c.low AS usd_gpu_h, c.valid_from AS usd_gpu_h_from,
       f.first_usd_gpu_h, f.first_from AS first_usd_gpu_h_from, c.seller, c.source, c.origin, c.provenance, c.source_url
FROM chosen c
JOIN firsts f USING (item, price_basis, source, seller)
