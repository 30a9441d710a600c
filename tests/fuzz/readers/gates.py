"""SGLang's gate files: Python read as text."""

from __future__ import annotations

import json
import re

from pipelines.sources.base import Bundle
from pipelines.sources.sglang.source import SGLang
from tests.fuzz.readers.base import Reader, bundle_of
from tests.fuzz.readers.sglang_sets import set_of
from tests.fuzz.spoiling import ODD_TEXTS, Spoiler
from tests.unit.sglang.gates.files import PATH, two_gates

FILES = (
    two_gates("Measured 0.947 on 8xMI355X, run 38500112233.", "Placeholder until the first green nightly."),
    """import os
register_amd_ci(est_time=5400, suite="nightly-amd-8-gpu-mi35x-nova", nightly=True, disabled="flaky, see #123")
THRESHOLDS = {"a/b": 0.92, "c/d": float(os.environ.get("T", "0.9"))}  # CUDA gate; not run here yet
MODELS = [C(model_path="org/a", accuracy_threshold=0.5), dict(model="org/b", accuracy_threshold=0.4, variant="fp8")]


class TestA(Mixin, unittest.TestCase):
    model = "org/a"
    gsm8k_accuracy_thres = 0.93  # measured 0.951 (n=1319)
    base = Base.accuracy - 0.02

    @unittest.skip("until the runner is back")
    @parameterized.expand([("a", 0.9), ("b", 0.8)])
    def test_it(self, name, floor=0.5):
        for model, floor in MODELS:
            with self.subTest(model=model):
                metrics = run_eval(SimpleNamespace(eval_name="gsm8k", num_examples=200))
                self.assertGreater(metrics["score"], floor, f"{metrics} {floor:.2f}")
                assert metrics["accept_length"] >= 2.9 and 0.1 < acc
""",
)
PULL = {
    "number": 41020,
    "title": "[AMD] Nova Two gate",
    "body": "| metric | value |\n| --- | --- |\n| GSM8K | 0.947 |\n\nMeasured 0.947 on MI355X, run 38500112233; not run on MI300X.",
    "updated_at": "x",
}
RUN = {"id": 38500112233, "status": "completed", "conclusion": "success"}
TOKENS = re.compile(r"#[^\n]*|\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|[\w]+|\n[ ]*|[ ]+|.", re.DOTALL)
ODD = (
    *(json.dumps(t) for t in ODD_TEXTS),
    *(
        "9" * 400,
        "1e999",
        "0x" + "f" * 500,
        "0.1_0",
        "1j",
        "-0.9",
        "float('nan')",
        "float('inf')",
        "0o7",
        "07",
        "...",
        "None",
        "b'x'",
        "f'{x}'",
        "(yield)",
        "await x",
        "lambda: 0",
        "*a",
        "**b",
        ":=",
        "@",
    ),
    *(
        'exec(\'open("x","w")\')',
        "__import__('os').system('touch x')",
        "eval(input())",
        "open('x', 'w')",
        "class A(metaclass=exec('x')): pass\n",
        "global x\n",
        "return\n",
        "del x\n",
        "async def f(): pass\n",
    ),
    *(
        "type X = int\n",
        "match x:\n    case 0.9:\n        pass\n",
        "try:\n    pass\nexcept* E:\n    pass\n",
        "\t",
        "\\\n",
        "\x0c",
        "\x00",
        "# measured ",
        "# not run",
        "# 0.99 on CUDA",
        '"""',
        "'",
        "\u2028",
        "é",
        "ﬁ",
        "\ufeff",
    ),
    *(
        "accuracy_threshold=",
        "ACCURACY_THRESHOLD = ACCURACY_THRESHOLD\n",
        "A, B = B, A = 0.9, 0.8\n",
        "x = x = 0.9\n",
        "class TestA(TestA): pass\n",
        "self.assertGreater(",
        "0.9 <",
        "> 0.9",
        "1 - 0.08",
        "92 / 100",
        "0.9 ** 1e9",
        "9**9**9",
        "'a' * 10**10",
        "1 << 10**9",
        "[0.9] * 10**9",
    ),
)


def spoilt(spoiler: Spoiler) -> Bundle:
    random = spoiler.random
    text = spoiler.text(random.choice(FILES), TOKENS, ODD, FILES)
    data = spoiler.data(text.encode("utf-8", "surrogatepass"))
    pull = spoiler.json(spoiler.tree(PULL, 2)) if random.random() < 0.3 else json.dumps(PULL)
    run = spoiler.json(spoiler.tree(RUN, 2)) if random.random() < 0.3 else json.dumps(RUN)
    bundle = set_of("gates", {PATH: data}, kind=random.choice(["tree", "commit"]))
    return with_evidence(bundle, pull.encode("utf-8", "surrogatepass"), run.encode("utf-8", "surrogatepass"))


def with_evidence(bundle: Bundle, pull: bytes, run: bytes) -> Bundle:
    """A gates set with the words of its pull request and the conclusion of a run."""
    parts = [(p.body, dict(p.meta)) for p in bundle.parts]
    return bundle_of("sglang", bundle.resource, bundle.scope, *parts, (pull, {"pull": 41020}), (run, {"run": "38500112233"}))


READER = Reader("SGLang gates", SGLang(), spoilt)
