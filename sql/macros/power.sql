-- What a throughput per megawatt says of one accelerator.
-- implied_tok_s_gpu: tok/s of one accelerator, from tok/s/MW and the power of one in kW.
CREATE OR REPLACE MACRO {schema}.implied_tok_s_gpu(tok_s_mw, kw) AS tok_s_mw::DOUBLE * kw / 1000;

-- implied_watts: power of one accelerator, from its tok/s and tok/s/MW.
CREATE OR REPLACE MACRO {schema}.implied_watts(tok_s_gpu, tok_s_mw) AS 1e6::DOUBLE * tok_s_gpu / nullif(tok_s_mw::DOUBLE, 0);
