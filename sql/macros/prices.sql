-- What tokens cost to rent and to own, for one's own mix of tokens, load and overhead. Prices in USD per million tokens.
-- blend: price of a mix of cached input, other input and output in parts a : b : c; 7:2:1 at 0.15, 1.25, 4.25 is 0.78.
CREATE OR REPLACE MACRO {schema}.blend(a, b, c, cached_usd_mtok, input_usd_mtok, output_usd_mtok) AS
  (a::DOUBLE * cached_usd_mtok + b * input_usd_mtok + c * output_usd_mtok) / (a + b + c);

-- cached_price: what input read from cache costs, as listed or by the discount on the input price.
CREATE OR REPLACE MACRO {schema}.cached_price(cached_usd_mtok, input_usd_mtok, discount_ratio) AS
  coalesce(cached_usd_mtok, input_usd_mtok * (1 - discount_ratio));

-- rent_usd_mtok: what a million tokens cost at list prices, by their shares of cached input, other input and output (0 to 1, together 1).
CREATE OR REPLACE MACRO {schema}.rent_usd_mtok(cached_share, uncached_share, output_share, cached_usd_mtok, input_usd_mtok, output_usd_mtok) AS
  cached_share::DOUBLE * cached_usd_mtok + uncached_share * input_usd_mtok + output_share * output_usd_mtok;

-- at_load: a cost of the hardware kept busy, at the share of time it is busy and with overhead (0.2 = 20 % on top).
CREATE OR REPLACE MACRO {schema}.at_load(usd_mtok, busy_share, overhead_share) AS
  usd_mtok::DOUBLE * (1 + overhead_share) / nullif(busy_share::DOUBLE, 0);

-- own_usd_mtok: what a million tokens cost on hardware at a price per accelerator hour.
CREATE OR REPLACE MACRO {schema}.own_usd_mtok(usd_gpu_h, total_tok_s_gpu, busy_share, overhead_share) AS
  {schema}.at_load(usd_gpu_h::DOUBLE * 1e6 / (3600 * nullif(total_tok_s_gpu::DOUBLE, 0)), busy_share, overhead_share);
