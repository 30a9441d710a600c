-- What a million tokens cost at a speed per user, by the frontier of measured points and by price of an accelerator hour.
-- Unit of a row: a comparable set, a target speed, what the cost is spread over, and a price basis.
-- Reads: frontier_points, gpu_hour_prices, stated_costs.
-- Between points of the frontier throughput follows a monotone cubic with Steffen's slopes (M. Steffen 1990, Astron.
-- Astrophys. 239, 443), the end slopes being (3 x secant - neighbour's slope) / 2 as InferenceX draws its curves; the
-- cost is made from that throughput: $/GPU/h x 10^6 / (3600 x tok/s/GPU). Beyond its ends a frontier is not
-- extended: the end's throughput stands, with method `clamped`. `stated` rows are a publisher's own figures.
-- `usd_mtok_fixed_prices` is at the first price known and `gpu_h_mtok` at none: neither moves when a price does.
-- Target speeds: the variable target_speeds (DOUBLE[], output tok/s per user) where set.
WITH targets AS (
  SELECT DISTINCT unnest(coalesce(getvariable('target_speeds')::DOUBLE[],
    [20, 30, 40, 50, 60, 75, 100, 128, 150, 160, 180, 191, 200, 222, 254, 300, 400]::DOUBLE[])) AS target
),
knots AS (
  SELECT comparable_set, 'total' AS cost_of, interactivity_tok_s AS x, total_tok_s_gpu AS y, status, measured_on, source_url FROM frontier_points
  UNION ALL
  SELECT comparable_set, 'output', interactivity_tok_s, output_tok_s_gpu, status, measured_on, source_url FROM frontier_points
  QUALIFY bool_and(coalesce(output_tok_s_gpu, 0) > 0) OVER (PARTITION BY comparable_set)
),
secants AS (
  SELECT *,
         x - lag(x) OVER curve AS h_before, (y - lag(y) OVER curve) / (x - lag(x) OVER curve) AS s_before,
         lead(x) OVER curve - x AS h_after, (lead(y) OVER curve - y) / (lead(x) OVER curve - x) AS s_after
  FROM knots
  WINDOW curve AS (PARTITION BY comparable_set, cost_of ORDER BY x)
),
inner_slopes AS (
  SELECT *, (sign(s_before) + sign(s_after))
            * least(abs(s_before), abs(s_after), 0.5 * abs((s_before * h_after + s_after * h_before) / (h_before + h_after))) AS inner_slope
  FROM secants
),
slopes AS (
  SELECT *, coalesce(CASE WHEN s_before IS NOT NULL AND s_after IS NOT NULL THEN inner_slope END,
                     (3 * s_after - lead(inner_slope) OVER curve) / 2,
                     (3 * s_before - lag(inner_slope) OVER curve) / 2,
                     s_after, s_before, 0) AS slope
  FROM inner_slopes
  WINDOW curve AS (PARTITION BY comparable_set, cost_of ORDER BY x)
),
segments AS (
  SELECT comparable_set, cost_of, x, y, slope, source_url,
         lead(x) OVER curve AS x_next, lead(y) OVER curve AS y_next, lead(slope) OVER curve AS slope_next
  FROM slopes
  WINDOW curve AS (PARTITION BY comparable_set, cost_of ORDER BY x)
),
curves AS (
  SELECT comparable_set, cost_of, min(x) AS x_min, max(x) AS x_max, count(*) AS frontier_points, count(*) FILTER (status = 'superseded') AS superseded_points,
         min(measured_on) AS measured_from, max(measured_on) AS measured_to
  FROM knots
  GROUP BY ALL
),
places AS (
  SELECT c.*, t.target, least(greatest(t.target, c.x_min), c.x_max) AS at_x
  FROM curves c CROSS JOIN targets t
),
read AS (
  SELECT p.*, s.source_url,
         CASE WHEN abs(p.at_x - p.target) > 1e-6 * p.target THEN 'clamped'
              WHEN abs(p.at_x - s.x) <= 1e-6 * p.target OR abs(p.at_x - s.x_next) <= 1e-6 * p.target THEN 'measured'
              ELSE 'interpolated' END AS method,
         coalesce((p.at_x - s.x) / (s.x_next - s.x), 0) AS u, s.y, s.y_next, s.slope, s.slope_next, s.x_next - s.x AS h
  FROM places p
  ASOF JOIN segments s ON p.comparable_set = s.comparable_set AND p.cost_of = s.cost_of AND p.at_x >= s.x
),
throughputs AS (
  SELECT *, CASE WHEN h IS NULL THEN y
                 ELSE (2 * u ** 3 - 3 * u ** 2 + 1) * y + (u ** 3 - 2 * u ** 2 + u) * h * slope
                    + (3 * u ** 2 - 2 * u ** 3) * y_next + (u ** 3 - u ** 2) * h * slope_next END AS tok_s_gpu
  FROM read
),
told AS (
  SELECT *, max(tok_s_gpu) FILTER (cost_of = 'total') OVER same_place AS total_tok_s_gpu, max(tok_s_gpu) FILTER (cost_of = 'output') OVER same_place AS output_tok_s_gpu
  FROM throughputs
  WINDOW same_place AS (PARTITION BY comparable_set, target)
),
sets AS (
  SELECT DISTINCT comparable_set, source, origin, scenario, isl, osl, model, model_key, model_id, accelerator, vendor, precision, interactivity_kind, synthetic_acceptance
  FROM frontier_points
),
bases AS (
  SELECT unnest(['owning', 'rental']) AS price_basis
)
SELECT t.comparable_set, s.source, s.origin, s.scenario, s.isl, s.osl, s.model, s.model_key, s.model_id, s.accelerator, s.vendor, s.precision, s.interactivity_kind, s.synthetic_acceptance,
       t.target AS interactivity_tok_s, t.total_tok_s_gpu, t.output_tok_s_gpu,
       p.usd_gpu_h * 1e6 / (3600 * t.tok_s_gpu) AS usd_mtok,
       t.cost_of, b.price_basis, p.usd_gpu_h,
       p.first_usd_gpu_h * 1e6 / (3600 * t.tok_s_gpu) AS usd_mtok_fixed_prices, p.first_usd_gpu_h,
       1e6 / (3600 * t.tok_s_gpu) AS gpu_h_mtok,
       t.method, t.frontier_points, t.superseded_points, t.measured_from, t.measured_to, p.source AS price_source, p.origin AS price_origin,
       CASE t.method WHEN 'interpolated' THEN 'interpolated' ELSE 'derived' END AS provenance, t.source_url
FROM told t
JOIN sets s USING (comparable_set)
CROSS JOIN bases b
LEFT JOIN gpu_hour_prices p ON p.accelerator = s.accelerator AND p.price_basis = b.price_basis
UNION ALL BY NAME
SELECT concat_ws(' | ', source, publication, scenario, model, accelerator, precision, interactivity_kind, 'as stated') AS comparable_set,
       source, origin, scenario, model, model_key, model_id, accelerator, vendor, precision, interactivity_kind, interactivity_tok_s,
       publication, publisher, stated_date, qualifier, reported_via, publisher_interest, valid_from AS stated_from,
       usd_mtok, cost_of, price_basis, usd_gpu_h, 'stated' AS method, source AS price_source, origin AS price_origin, provenance, source_url
FROM stated_costs
