"""The pictures in docs/screenshots: views of the replay world, at the width of a desk and of a phone.

python -m tests.browser.screenshots          needs chromium and ../shared; takes two minutes
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.conftest import Tab, chromium
from tests.helpers.lakes import walk_the_world
from tests.helpers.page_server import dashboard
from tests.shared import ROOT

FOLDER = ROOT / "docs" / "screenshots"
WIDE, PHONE = (1280, 870), (390, 844)

# Name of the file, view with its state, size of the window.
PICTURES = (
    ("what_changed", "", WIDE),
    ("leaderboard", "leaderboard", WIDE),
    ("headline", "headline", WIDE),
    ("curves", "curves?model=Muse+Spark+Open", WIDE),
    ("rent_or_own", "rent_or_own?model=Muse+Spark+Open", WIDE),
    ("gates", "gates", WIDE),
    ("phone_what_changed", "", PHONE),
    ("phone_headline", "headline", PHONE),
)


def take(lake: Path, folder: Path) -> list[Path]:
    """Take every picture of a lake's dashboard; the files.

    Raises ValueError for a lake that is no replay: a picture of it would pass for live figures.
    """
    taken = []
    with dashboard(lake) as address, chromium() as browser:
        for name, view, (width, height) in PICTURES:
            tab = Tab(browser, width, height=height).open(f"{address}/{view}")
            if tab.page.get_by_text("replay data, not live").count() == 0:
                raise ValueError(f"{lake} is no replay lake; pictures are taken of replay data alone, which they say.")
            taken.append(folder / f"{name}.png")
            tab.page.screenshot(path=taken[-1])
            tab.close()
    return taken


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="megawatch-world-") as scratch:
        for file in take(walk_the_world(Path(scratch) / "lake"), FOLDER):
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")
