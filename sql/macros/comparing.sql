-- When two figures differ, and how differences of their circumstances are said.
-- rounding_step: the last place a figure is given to, of at least two significant digits: 61,400 to 100, 0.76 to 0.01, 150 M to 10 M.
CREATE OR REPLACE MACRO {schema}.rounding_step(x) AS
  CASE WHEN x = 0 THEN 0
       ELSE least(pow(10, floor(log10(abs(x))) - 1),
                  CASE WHEN x = round(x) THEN pow(10, len(format('{:.0f}', x::DOUBLE)) - len(rtrim(format('{:.0f}', x::DOUBLE), '0')))
                       ELSE pow(10, -len(rtrim(split_part(format('{:.9f}', x::DOUBLE), '.', 2), '0'))) END) END;

-- beyond_rounding: whether two figures differ by more than the coarser one's rounding.
CREATE OR REPLACE MACRO {schema}.beyond_rounding(a, b) AS
  abs(a - b) > greatest({schema}.rounding_step(a), {schema}.rounding_step(b)) / 2 * (1 + 1e-9);

-- weight_format: what a precision is on a vendor's accelerators: FP4 is NVFP4 on NVIDIA's and MXFP4 on AMD's.
CREATE OR REPLACE MACRO {schema}.weight_format(precision, vendor) AS
  CASE WHEN upper(precision) = 'FP4' AND vendor = 'NVIDIA' THEN 'NVFP4'
       WHEN upper(precision) = 'FP4' AND vendor = 'AMD' THEN 'MXFP4'
       ELSE upper(precision) END;

-- against: a circumstance that differs, or is stated of one side only; NULL where it does not differ or is stated of neither.
CREATE OR REPLACE MACRO {schema}.against(what, a, b) AS
  CASE WHEN a IS DISTINCT FROM b THEN what || ' ' || coalesce(a::VARCHAR, 'not stated') || ' against ' || coalesce(b::VARCHAR, 'not stated') END;

-- said: the sentences of a list that are there.
CREATE OR REPLACE MACRO {schema}.said(sentences) AS list_filter(sentences, lambda s: s IS NOT NULL);
