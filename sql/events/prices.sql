-- Accelerator-hour prices that changed.
-- Unit of a row: one price basis at one refresh; the accelerators stand in co_changed.
-- Reads: events.opened_prices.
WITH changed AS (
  SELECT *, low / nullif(former.low, 0) - 1 AS moved_ratio
  FROM events.opened_prices
  WHERE is_news AND former IS NOT NULL AND component = 'gpu_hour' AND low IS DISTINCT FROM former.low AND NOT is_rounding(former.low, low)
)
SELECT 'price_changed' AS kind, 'notable' AS severity, source, NULL AS model, seller AS entity, NULL AS vendor, CASE WHEN count(*) = 1 THEN any_value(item) END AS accelerator,
       concat_ws('|', seller, component, price_basis) AS key, price_basis AS field,
       CASE WHEN count(*) = 1 THEN any_value(former.low)::VARCHAR END AS old_value, CASE WHEN count(*) = 1 THEN any_value(low)::VARCHAR END AS new_value,
       list(item || ' ' || usd(former.low) || ' → ' || usd(low) ORDER BY item) AS co_changed,
       min(valid_from) AS happened_at, max(changed_after) AS changed_after, min(recorded_at) AS detected_at, min(source_url) AS source_url,
       upper(price_basis[1]) || price_basis[2:] || ' prices of ' || CASE WHEN count(*) = 1 THEN any_value(item) ELSE count(*) || ' accelerators' END || ' changed by '
         || format('{:+.0f}', min(moved_ratio) * 100) || CASE WHEN count(*) > 1 THEN ' to ' || format('{:+.0f}', max(moved_ratio) * 100) ELSE '' END
         || ' % an hour (' || seller || ')' AS summary
FROM changed
GROUP BY source, seller, component, price_basis, snapshot_id
