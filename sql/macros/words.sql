-- How figures and names are written in sentences, and how names are folded for exact comparison.
CREATE OR REPLACE MACRO {schema}.fold_name(name) AS regexp_replace(lower(trim(name)), '[\s_-]+', '-', 'g');

CREATE OR REPLACE MACRO {schema}.plain_name(name) AS regexp_replace(lower(trim(name)), '\s+', ' ', 'g');

CREATE OR REPLACE MACRO {schema}.trimmed(x, digits) AS
  CASE WHEN x = round(x) THEN format('{:,}', x::BIGINT)
       ELSE rtrim(rtrim(format('{:,.' || digits || 'f}', x::DOUBLE), '0'), '.') END;

CREATE OR REPLACE MACRO {schema}.amount(x) AS
  CASE WHEN x IS NULL THEN 'not published'
       WHEN abs(x) >= 1e6 THEN {schema}.trimmed(x / 1e6, 2) || ' M'
       WHEN abs(x) >= 1000 THEN format('{:,}', round(x)::BIGINT)
       ELSE {schema}.trimmed(x, 4) END;

CREATE OR REPLACE MACRO {schema}.usd(x) AS
  CASE WHEN x IS NULL THEN 'not published'
       WHEN abs(x) >= 0.1 OR x = 0 THEN format('${:,.2f}', x::DOUBLE)
       ELSE '$' || {schema}.trimmed(x, 5) END;

CREATE OR REPLACE MACRO {schema}.change(old, new) AS
  CASE WHEN old IS NULL OR new IS NULL OR old = 0 THEN ''
       ELSE format(' ({}{:.0f} %)', CASE WHEN new >= old THEN '+' ELSE '−' END, abs(new / old - 1) * 100) END;

CREATE OR REPLACE MACRO {schema}.metric_unit(metric) AS
  CASE metric WHEN 'agents_per_mw' THEN 'agents per MW'
              WHEN 'agents_per_accelerator' THEN 'agents per accelerator'
              WHEN 'agents_per_system' THEN 'agents per system'
              WHEN 'max_agents' THEN 'concurrent agents'
              WHEN 'throughput_tok_s_mw' THEN 'tok/s per MW'
              WHEN 'input_tok_s_gpu' THEN 'input tok/s per GPU'
              WHEN 'output_tok_s_gpu' THEN 'output tok/s per GPU'
              WHEN 'watts_per_accelerator' THEN 'W per accelerator'
              ELSE metric END;

CREATE OR REPLACE MACRO {schema}.is_rounding(old, new) AS abs(new - old) <= 0.0005 * greatest(abs(new), abs(old));
