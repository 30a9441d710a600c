-- Listings that appeared or vanished, list prices, index rebases, renamed and re-pointed slugs. Speed and TTFT jitter is not news.
-- Unit of a row: one happening of one model at one refresh, or of the whole list (a rebase, a mass repricing).
-- Reads: events.opened_models, events.ended_models, events.model_days.
WITH days AS MATERIALIZED (
  FROM events.model_days
),
opened AS (
  SELECT *, list_contains(getvariable('watched_models'), slug) AS watched
  FROM events.opened_models
  WHERE is_news
),
ended AS (
  SELECT h.source, h.scope, h.slug, h.model_id, h.name, h.ended_by
  FROM history.models h
  JOIN (SELECT DISTINCT source, scope, snapshot_id FROM opened) o ON o.source = h.source AND o.scope = h.scope AND o.snapshot_id = h.ended_by
),
changed AS (
  SELECT o.*, d.is_rebase, d.is_repricing,
         o.input_usd_mtok IS DISTINCT FROM o.former.input_usd_mtok AND NOT coalesce(is_rounding(o.former.input_usd_mtok, o.input_usd_mtok), false) AS input_moved,
         o.output_usd_mtok IS DISTINCT FROM o.former.output_usd_mtok AND NOT coalesce(is_rounding(o.former.output_usd_mtok, o.output_usd_mtok), false) AS output_moved,
         o.cached_input_usd_mtok IS DISTINCT FROM o.former.cached_input_usd_mtok AND NOT coalesce(is_rounding(o.former.cached_input_usd_mtok, o.cached_input_usd_mtok), false) AS cached_moved
  FROM opened o
  JOIN days d USING (source, scope, snapshot_id)
  WHERE o.former IS NOT NULL
),
priced AS (
  SELECT *,
         CASE WHEN input_moved THEN 'input_usd_mtok' WHEN output_moved THEN 'output_usd_mtok' ELSE 'cached_input_usd_mtok' END AS field,
         CASE WHEN input_moved THEN former.input_usd_mtok WHEN output_moved THEN former.output_usd_mtok ELSE former.cached_input_usd_mtok END AS old_price,
         CASE WHEN input_moved THEN input_usd_mtok WHEN output_moved THEN output_usd_mtok ELSE cached_input_usd_mtok END AS new_price
  FROM changed
  WHERE input_moved OR output_moved OR cached_moved
),
shown_prices AS (
  SELECT *,
         CASE field WHEN 'input_usd_mtok' THEN 'input price' WHEN 'output_usd_mtok' THEN 'output price' ELSE 'cached input price' END AS field_words
  FROM priced
  WHERE watched OR NOT is_repricing
)
SELECT CASE WHEN is_return THEN 'entry_returned' ELSE 'entry_added' END AS kind,
       CASE WHEN watched AND NOT is_return THEN 'headline' ELSE 'routine' END AS severity,
       source, name AS model, name AS entity, creator AS vendor, NULL AS accelerator, model_id AS key, NULL AS field, NULL AS old_value, slug AS new_value, [] AS co_changed,
       valid_from AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       name || CASE WHEN is_return THEN ' is listed again' ELSE ' is listed' END || ' by Artificial Analysis'
         || CASE WHEN intelligence_index IS NULL THEN '' ELSE ': index ' || trimmed(intelligence_index, 1) || CASE WHEN index_is_estimated THEN ' (estimated)' ELSE '' END END
         || CASE WHEN input_usd_mtok IS NULL OR output_usd_mtok IS NULL THEN '' ELSE ', ' || usd(input_usd_mtok) || ' in and ' || usd(output_usd_mtok) || ' out per million tokens' END AS summary
FROM opened
WHERE former IS NULL AND origin = 'scraped'
UNION ALL BY NAME
SELECT 'entry_removed' AS kind, 'routine' AS severity, source, name AS model, name AS entity, creator AS vendor, NULL AS accelerator, model_id AS key, NULL AS field,
       slug AS old_value, NULL AS new_value, [] AS co_changed, valid_to AS happened_at, NULL AS changed_after, ended_at AS detected_at, source_url,
       name || ' is no longer listed by Artificial Analysis' AS summary
FROM events.ended_models
WHERE origin = 'scraped'
UNION ALL BY NAME
SELECT CASE WHEN new_price IS NULL THEN 'price_missing' WHEN old_price IS NULL THEN 'price_returned' ELSE 'price_changed' END AS kind,
       CASE WHEN watched AND old_price IS NOT NULL AND new_price IS NOT NULL THEN 'headline' ELSE 'routine' END AS severity,
       source, name AS model, name AS entity, creator AS vendor, NULL AS accelerator, model_id AS key, field, old_price::VARCHAR AS old_value, new_price::VARCHAR AS new_value,
       list_filter([
         CASE WHEN output_moved AND field <> 'output_usd_mtok' THEN 'output price ' || usd(former.output_usd_mtok) || ' → ' || usd(output_usd_mtok) END,
         CASE WHEN cached_moved AND field <> 'cached_input_usd_mtok' THEN 'cached input price ' || usd(former.cached_input_usd_mtok) || ' → ' || usd(cached_input_usd_mtok) END,
         CASE WHEN blend_7_2_1_usd_mtok IS DISTINCT FROM former.blend_7_2_1_usd_mtok THEN '7:2:1 blend ' || usd(former.blend_7_2_1_usd_mtok) || ' → ' || usd(blend_7_2_1_usd_mtok) END],
         lambda x: x IS NOT NULL) AS co_changed,
       valid_from AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       name || '''s ' || field_words ||
         CASE WHEN new_price IS NULL THEN ' is no longer published (it was ' || usd(old_price) || ' per million tokens)'
              WHEN old_price IS NULL THEN ' is published: ' || usd(new_price) || ' per million tokens'
              ELSE CASE WHEN new_price < old_price THEN ' falls' ELSE ' rises' END || ' from ' || usd(old_price) || ' to ' || usd(new_price) || ' per million tokens' || change(old_price, new_price) END AS summary
FROM shown_prices
WHERE origin = 'scraped'
UNION ALL BY NAME
SELECT 'price_changed' AS kind, 'notable' AS severity, source, NULL AS model, 'Model leaderboard' AS entity, NULL AS vendor, NULL AS accelerator, scope AS key, 'list prices' AS field,
       NULL AS old_value, repriced::VARCHAR AS new_value, [] AS co_changed, held_at AS happened_at, NULL AS changed_after, captured_at AS detected_at, scope AS source_url,
       repriced || ' of ' || common || ' listed models changed price in one day: a change in how prices are gathered is likelier than ' || repriced || ' market moves' AS summary
FROM days
WHERE is_repricing
UNION ALL BY NAME
SELECT 'index_rebase' AS kind, 'notable' AS severity, source, NULL AS model, 'Intelligence Index' AS entity, NULL AS vendor, NULL AS accelerator, scope AS key, 'intelligence_index' AS field,
       former_version AS old_value, new_version AS new_value, [] AS co_changed, held_at AS happened_at, NULL AS changed_after, captured_at AS detected_at, scope AS source_url,
       'The Intelligence Index was rebased: ' || moved || ' of ' || common || ' models moved'
         || CASE WHEN new_version IS DISTINCT FROM former_version AND new_version IS NOT NULL THEN ' (version ' || coalesce(former_version || ' → ', '') || new_version || ')' ELSE '' END
         || '; scores before and after do not compare' AS summary
FROM days
WHERE is_rebase
UNION ALL BY NAME
SELECT CASE WHEN slug IS DISTINCT FROM former.slug THEN 'renamed' WHEN name IS DISTINCT FROM former.name THEN 'renamed' ELSE 'value_changed' END AS kind,
       'routine' AS severity, source, name AS model, name AS entity, creator AS vendor, NULL AS accelerator, model_id AS key,
       CASE WHEN slug IS DISTINCT FROM former.slug THEN 'slug' WHEN name IS DISTINCT FROM former.name THEN 'name'
            WHEN open_weights IS DISTINCT FROM former.open_weights THEN 'open_weights' WHEN context_window_tokens IS DISTINCT FROM former.context_window_tokens THEN 'context_window_tokens'
            ELSE 'intelligence_index' END AS field,
       CASE WHEN slug IS DISTINCT FROM former.slug THEN former.slug WHEN name IS DISTINCT FROM former.name THEN former.name
            WHEN open_weights IS DISTINCT FROM former.open_weights THEN former.open_weights::VARCHAR WHEN context_window_tokens IS DISTINCT FROM former.context_window_tokens THEN former.context_window_tokens::VARCHAR
            ELSE former.intelligence_index::VARCHAR END AS old_value,
       CASE WHEN slug IS DISTINCT FROM former.slug THEN slug WHEN name IS DISTINCT FROM former.name THEN name
            WHEN open_weights IS DISTINCT FROM former.open_weights THEN open_weights::VARCHAR WHEN context_window_tokens IS DISTINCT FROM former.context_window_tokens THEN context_window_tokens::VARCHAR
            ELSE intelligence_index::VARCHAR END AS new_value,
       [] AS co_changed, valid_from AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       CASE WHEN slug IS DISTINCT FROM former.slug THEN former.name || ' moved from the address ' || former.slug || ' to ' || slug
            WHEN name IS DISTINCT FROM former.name THEN former.name || ' is now listed as ' || name
            WHEN open_weights IS DISTINCT FROM former.open_weights THEN name || CASE WHEN open_weights THEN ' now has open weights' ELSE ' is no longer marked as open weights' END
            WHEN context_window_tokens IS DISTINCT FROM former.context_window_tokens THEN name || '''s context window changed from ' || amount(former.context_window_tokens) || ' to ' || amount(context_window_tokens) || ' tokens'
            ELSE name || '''s Intelligence Index moved from ' || coalesce(trimmed(former.intelligence_index, 1), 'not published') || ' to ' || coalesce(trimmed(intelligence_index, 1), 'not published') END AS summary
FROM changed
WHERE origin = 'scraped'
  AND (slug IS DISTINCT FROM former.slug OR name IS DISTINCT FROM former.name OR open_weights IS DISTINCT FROM former.open_weights
       OR context_window_tokens IS DISTINCT FROM former.context_window_tokens
       OR (NOT is_rebase AND abs(coalesce(intelligence_index, -1) - coalesce(former.intelligence_index, -1)) > 0.05))
UNION ALL BY NAME
SELECT 'slug_repointed' AS kind, 'routine' AS severity, o.source, o.name AS model, o.name AS entity, o.creator AS vendor, NULL AS accelerator, o.slug AS key, 'slug' AS field,
       h.model_id AS old_value, o.model_id AS new_value, [] AS co_changed, o.valid_from AS happened_at, o.changed_after, o.recorded_at AS detected_at, o.source_url,
       'The address ' || o.slug || ' now leads to another model: ' || o.name || ' instead of ' || h.name AS summary
FROM opened o
JOIN ended h ON h.source = o.source AND h.scope = o.scope AND h.slug = o.slug AND h.model_id <> o.model_id AND h.ended_by = o.snapshot_id
WHERE o.origin = 'scraped' AND (o.former IS NULL OR o.former.slug IS DISTINCT FROM o.slug)
