"""The wordings by which sentences on thresholds are recognised.

Gate files are written by many hands; each pattern is a list of ways to say one thing. What none of them knows leaves a
gate's basis unknown, never measured.
"""

from __future__ import annotations

import re

FAMILIES = {"gfx950": "mi35", "gfx942": "mi30", "gfx1250": "mi45", "mi300": "mi30", "mi308": "mi30", "mi325": "mi30"}


def _any(*ways: str, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
    """A pattern for any of the ways, as whole words."""
    return re.compile(f"{before}(?:{'|'.join(ways)}){after}", re.IGNORECASE)


_KIND = (
    r"(?:an?|any|its|own|direct|such|single|first|second|last|latest|real|actual|published|recorded|known|prior|successful|full|complete"
    r"|amd|rocm\d*|gpu|hardware|device|on-device|on-hardware|green|ci|nightly|hand|test|trial|local|manual|accuracy|gsm8k|\S*mi\d\S*|gfx\S*|\S+-side|\S+-measured)"
)
_NOBODY = r"(?:not|never|nobody|no one|no-one|none)"
_NOT = rf"(?:\b{_NOBODY}\b|n't\b)"
_BETWEEN = (
    r"(?:\s+(?:yet|been|ever|has|have|had|was|were|is|be|being|it|this|that|the|an?|any|one|single|so|far|fully|actually|independently"
    r"|amd|rocm|real|actual|own|local|prior|hardware|\d*x?\s?mi\w+|gfx\w+|ci|nightly|green|first|or|and|run|validated|based|backed|by|on|taken)){0,4}"
)
_DONE = (
    r"(?:re-?)?(?:measured|validated|calibrated|confirmed|verified|established|quantified|benchmarked|characteri[sz]ed|tuned|tightened"
    r"|replaced|determined|decided)"
)
_BE = r"(?:will|shall|to|should|must|needs? to|can|has yet to|have yet to|yet to)(?: \w+)? be"
_RUNS = r"(?:runs?|nightl(?:y|ies)|jobs?|executions?|measurements?|numbers?|data|results?)"
_FIRST = rf"(?:the |a |an |its |any )?(?:very )?(?:first|initial|next|real|actual|green)\b(?: \S+){{0,4}}? ?\b{_RUNS}"

# A rule for setting thresholds is no measurement: "measured - 0.05", "5% below the observed score".
_MARGIN = r"(?:a\s)?(?:0?\.[01]\d*|\d{1,2}\s?%|\d{1,2}(?=\s*(?:pts?|points?))|margin|slack|headroom)(?:\s*(?:pts?|points?))?"
_MINUS = r"[\s`'-]*(?:\s[-−–]\s?|-\s?minus\s?-|-|−|–|\bminus\b|\bless\b)[\s-]*"
RULE = _any(
    rf"(?:measured|observed|reported|baseline|measurement|score)(?:[\s-]+(?:value|score|accuracy|mean))?{_MINUS}{_MARGIN}`?(?:[\s-]+(?:convention|rule|policy))?",
    r"\d*\.?\d+\s?%?\s*(?:pts?|points?)?\s*(?:below|under)\s+(?:the\s+)?(?:measured|observed|reported)\s+(?:value|score|accuracy|mean)\b",
    after="",
)
# What is no longer so: "replaces the placeholder", "was a guess".
SETTLED = _any(
    r"(?:no longer|not|never|replac\w+|former(?:ly)?|was|were|previously|instead of|removes?|drop(?:s|ped)?|used to be)\s+"
    r"(?:an? |the |its |this |that |just |merely )*(?:\w+ ){0,2}?(?:place-?holders?|guess(?:es)?|stand-?ins?)(?:\s+(?:of\s+)?\d*\.\d+)?"
)
# Words of measuring. Denied, postponed and conditional ones are told apart by what stands before them.
CUE = _any(
    r"(?:re-?)?(?:measured?|measures|measuring|measurements?|scor(?:ed|es|ing)|achiev(?:ed|es)|reach(?:ed|es)|obtain(?:ed|s)|observ(?:ed|es)|record(?:ed|s))",
    r"(?:re-?)?(?:confirm(?:ed|s)|validated|verified|checked|calibrated|evaluated|established|benchmarked|reproduc(?:ed|es)|ran at|accepted|accepts)",
    r"got|gave|gives|put|yield(?:ed|s)|return(?:ed|s)|land(?:ed|s)|c[ao]mes? (?:in|out|back)|hits?|clocked|averag(?:ed|es|ing)|mean|median|pass(?:ed|es)",
    r"shows?|showed|produc(?:ed|es)|posted|delivered|logged|stable at|results?|failed (?:at|with)|seen|saw",
    r"(?:was|were|went|is|all) green|green (?:run|nightly|job|build|ci)",
    rf"{_KIND} runs?",
    r"✅",
    before=r"(?:\b|(?=✅))",
    after=r"(?:\b|(?<=✅))",
)
_NONE_OF_IT = r"\b(?:no|neither|nor)\b[^.,;]{0,40}\b(?:has|have|had|was|were|is|are)\b(?:\s+(?:ever|yet|so far|been|being))*"
DENIED = re.compile(rf"(?:(?:{_NOT}|\b(?:no|without|nothing|neither|nor|cannot|lacks?|lacking|absent)\b){_BETWEEN}|{_NONE_OF_IT})\s*$", re.IGNORECASE)
_IMPERATIVE = r"confirm|check|validate|verify|revisit|re-?check|calibrate|tighten|loosen|adjust|replace|update|tune"
PUT_OFF = re.compile(
    r"\b(?:will|to|should|must|would|could|can|may|might|shall|whether|need(?:s|ed)?)\s+(?:\w+\s+)?(?:be |been |have |get |it )*$"
    r"|\b(?:until|till|once|if|unless|pending|awaiting|awaits?|waiting (?:for|on)|as soon as"
    r"|(?:after|when|before|against|by|from|with|on) (?:the|an?|its) (?:first|next|coming|upcoming|following)"
    rf"|(?:{_IMPERATIVE}|compare)\s+(?:\w+\s+){{0,2}}(?:against|with|after|from|by|on|at|once|when))\b[^.;]{{0,40}}$",
    re.IGNORECASE,
)
WAITING = _any("until", "till", "once", "pending", "awaiting", "waiting", "unless", "will", "todo", "tbd")
CONDITIONAL = re.compile(r"^\W*(?:if|when|whenever|whether|should|unless|once|until)\b", re.IGNORECASE)
MEASURING = _any(r"(?:re-?)?(?:measured|validated|confirmed|calibrated|verified|established)")
TROUBLE = _any("crash(?:ed|es)?|di(?:ed|es)|hangs?|hung|abort(?:ed|s)?|fail(?:ed|s|ure)?|faults?|faulted|broken?|stale|timed? ?out|red")

# Who else may have measured, and where.
REPORTED = _any(
    r"reported|reports?|published|publishes|claimed|claims|quoted|quotes|advertised|documented|announced|official|officially|upstream(?:'s)?|cited|listed",
    r"(?:model|hf|hugging ?face)[- ]card|card(?= (?:reports?|lists?|states?|says|claims?|gives))|paper|tech(?:nical)? report|blog|leaderboard|release notes",
    r"cookbook(?:'s)?|vendor(?:'s)?|authors?",
    after=r"\b(?!\s+(?:image|docker|container|checkpoints?|recipe|weights|commands?|args|flags|config\w*|cell|build|model)\b)",
)
_OTHER_MAKER = r"nvidia|cuda(?![\s_-]?graph)|a100|[hb][1-3]00|gb[23]00|l40s?|rtx|blackwell|hopper|tpu|gaudi|xeon|npu|ascend"
OTHER_MAKER = _any(_OTHER_MAKER, before=r"(?:\b|(?<=\dx))", after=r"(?:s|'s)?\b")
ON_OTHER_MAKER = _any(rf"(?:on|for) (?:an? |the )?(?:\d+\s?x\s?)?(?:{_OTHER_MAKER})")
AMD_CHIP = re.compile(r"\b(?:\d+\s?[x×]\s?)?(mi\d{2,3}[xa]?|gfx\d{3,4}\w?)\b", re.IGNORECASE)
ON_AMD = _any("amd", r"rocm\d*", "instinct")
HERE = _any(r"amd|rocm\d*|hardware|device|here|(?:\d+\s?[x×]\s?)?mi\d{2,3}[xa]?|gfx\d{3,4}\w?")
ROCM_RELEASE = re.compile(r"\brocm\s?\d+", re.IGNORECASE)
IN_CI = _any("nightly|nightlies", "ci", "green run", "first run", "actions", "workflow")
BY_HAND = _any(
    "by hand",
    "hand[- ]?(?:run|checked|measured)",
    "manual(?:ly)?|local(?:ly)?|offline|interactive(?:ly)?|ad[- ]hoc",
    "outside (?:of )?ci",
    "not in ci",
    "(?:dev(?:elopment)?|bench) (?:box|node|machine)|workstation|bare metal",
    "(?:this|that|the same|our|my|same|an?|one) (?:host|box|node|machine|server|lab)",
    "bring-?up (?:run|session)",
)
_BY_PULL = r"(?:re-?)?(?:measured|measures|scored|scores|got|gets|shows?|showed|saw|recorded|validated|observed)"
PULL_SUBJECT = re.compile(
    rf"#\d{{3,6}}(?:\s+\w+ly)?\s+{_BY_PULL}"
    r"|(?:measured|scored|observed|recorded|seen|validated) (?:\w+ ){0,4}(?:in|by|on|for|with) (?:PR |pull request )?#\d{3,6}",
    re.IGNORECASE,
)

# Where a number was taken over from another gate.
_NEIGHBOUR = r"(?:peers?|siblings?|famil(?:y|ies)|floors?|thresholds?|gates?|twin|counterpart|others?|neighbou?rs?|variant)"
TAKEN_OVER = _any(
    r"inherit(?:s|ed|ing)?|cop(?:ied|ies|y)|borrow(?:s|ed)?|carr(?:ied|ies) over|tak(?:en|es) (?:over )?from|mirror(?:s|ed|ing)?",
    r"lifted|ported|cloned|duplicated|reus(?:ed|es)",
    r"same (?:\S+ ){0,3}as",
    rf"(?:match(?:es|ed|ing)?|follows?|using|uses?) (?:the |its |our )?(?:\S+ ){{0,4}}{_NEIGHBOUR}",
    r"(?:peer|sibling)'s",
    r"(?:using|use|uses) (?:the )?(?:cuda|nvidia) (?:one|value|number)",
    rf"(?:value|number|floor|threshold) (?:is |was )?(?:from|of) (?:the |its |our )?(?:\S+ ){{0,2}}{_NEIGHBOUR}",
    r"(?:relaxed|loosened|adapted|derived|scaled|adjusted|lowered) from(?! ?~?\.?\d)",
)

COPIED = _any("inherited|copied|borrowed|carried over|lifted|ported|cloned|duplicated", "taken over from")
OF_A_PEER = re.compile(r"\b(?:peer|sibling|twin|counterpart)s?\b[^.;]{0,25}$", re.IGNORECASE)

# That there is no measurement.
LACK = _any(
    r"place-?holders?|stand-?ins?|provisional(?:ly)?|tentative(?:ly)?|interim|temporary|preliminary|TB[DC]|TODO|FIXME|for now|pending|outstanding",
    r"guess(?:ed|es|timate)?|arbitrary|made[- ]up|dummy|rough|ball-?park|estimated?|projected|extrapolated|assum(?:ed|ption)",
    r"un-?(?:validated|verified|measured|calibrated|confirmed|tested|proven|tuned|known)",
    r"(?:we|i|they) (?:expect|hope|aim|would like)|expected (?:to (?:be|land|score)|around|about|value)|(?:values?|numbers?) (?:is |are )?to (?:follow|come)",
    r"(?:numbers?|values?|results?|measurements?|figures?) (?:is|are|was|were)(?: not|n't) (?:\S+ ){0,2}(?:there|available|known|in|out)",
    rf"(?:{_IMPERATIVE}|raise) (?:it |this |here )?(?:by|with|once|after|when|against|from)",
    r"(?:starting|default) (?:point|value|floor|threshold)|initial (?:value|guess|estimate|threshold|floor)",
    rf"{_BE} (?:{_DONE}|set|filled|revisited)",
    rf"(?:until|till|once|when|wait(?:s|ing) (?:for|on)) (?:\S+ )?{_FIRST}",
    rf"(?:pending|awaiting|awaits) (?:\S+ ){{0,4}}(?:{_RUNS}|validation|calibration|baseline|confirmation)",
    rf"(?:{_RUNS}|baseline|calibration|validation) (?:is |are |still )*(?:pending|outstanding|missing|absent|unknown|to (?:follow|come)|tbd)",
    rf"(?:no|without|lacks?|lacking|missing|zero|absent)(?: {_KIND}){{0,4}} (?:measured|{_RUNS}|baselines?|evidence|figures?|validation|calibration|readings?)",
    r"nothing (?:\S+ ){0,3}(?:measured|run)",
    r"needs? (?:an? |its )?(?:\S+ ){0,3}(?:measurement|run|validation|calibration|confirmation)",
)
PLACEHOLDER_WORD = _any(r"place-?holders?|stand-?ins?|TB[DC]|guess(?:ed|es|timate)?|arbitrary|dummy|made[- ]up")
NOT_MEASURED = re.compile(
    rf"{_NOT}{_BETWEEN}\s+(?:{_DONE}|(?:an? )?measurements?"
    r"|(?:produced|given|yielded|recorded|taken|obtained|collected|reported|seen|got|had) (?:an? |any |its |one )?(?:\S+ )?"
    r"(?:numbers?|values?|results?|measurements?|figures?|data|scores?))\b"
    rf"|\bno (?:\S+ )?(?:lengths?|accurac\w+|scores?|values?|numbers?|baselines?|thresholds?|floors?|data)(?: \w+)? {_DONE}\b"
    rf"|{_NONE_OF_IT}\s+(?:{_DONE}|recorded|taken|obtained|collected|produced|seen)\b",
    re.IGNORECASE,
)
_RAN = (
    r"(?:run|ran|executed|exercised|dispatched|scheduled|launched|triggered|tried|rerun|started|begun|happened|completed|landed on hardware"
    r"|seen (?:\S+ ){0,2}hardware|tested on)"
)
_NO_AUXILIARY = r"(?<!\bdo )(?<!\bdoes )(?<!\bcan )(?<!\bwill )(?<!\bmust )(?<!\bshould )"
NOT_RUN = re.compile(
    rf"{_NO_AUXILIARY}(?:\b{_NOBODY}\b|(?<!do)(?<!does)(?<!ca)(?<!wo)n't\b){_BETWEEN}\s+{_RAN}\b"
    r"|\byet to (?:be )?(?:run|executed?|exercised?|dispatched|scheduled|launched?|land|go green|see|start)\b|\bun(?:run|executed|exercised)\b|\buntested on\b"
    rf"|\bno (?:{_KIND} ){{0,3}}runs?\b|\bnothing (?:\S+ ){{0,2}}(?:run|executed)\b"
    rf"|\b(?:pending|awaiting|awaits|waiting (?:for|on)|before|until|needs?|ahead of) {_FIRST}\b"
    rf"|\b(?:{_IMPERATIVE}|set|settle|{_BE} (?:{_DONE}|checked|revisited|adjusted|updated|set))\b[^.;]{{0,50}}"
    r"\b(?:after|against|from|once|on|with|when|by|following) (?:the |a |its )?(?:first|an? actual|real)\b"
    r"|\bfirst (?:\S+ ){0,3}(?:run|nightly) (?:is |still |yet )*(?:pending|outstanding|due|to come|will|has yet|decides|tells)",
    re.IGNORECASE,
)
NEVER_MEASURED = re.compile(
    rf"(?:{_NOT}|\b(?:no|without|lacks?|nothing)\b)[^.;]{{0,40}}\b(?:measure\w*|baseline|numbers?|data|evidence)\b[^.;]{{0,40}}"
    r"\b(?:yet|so far|to date|exists?|behind)\b|\bun(?:measured|validated)\b",
    re.IGNORECASE,
)

# What a sentence speaks of, and the verdict it gives.
SUBJECT = _any(r"thresholds?|floors?|gates?|values?|baselines?|limits?|bars?|numbers?|cutoffs?|thres|accurac\w+|accept\w*|both|measure\w*|speed")
RESULT = _any(r"scores?|results?|figures?|numbers?|accurac\w+|card")
THRESHOLD_WORD = _any("thresholds?|floors?|gates?|values?|baselines?|both|numbers?|limits?")
PLURAL = _any("thresholds|floors|gates|values|baselines|limits|numbers", "both", "all", "these", "they")
PASS = _any(
    "pass(?:ed|es)?",
    "(?:was|were|went|is|came back|came out|all) green",
    "green (?:run|nightly|job|build)",
    "✅",
    before=r"(?:\b|(?=✅))",
    after=r"(?:\b|(?<=✅))",
)
FAIL = _any("fail(?:ed|s)?", "red (?:run|nightly|job)", "(?:was|went|came back|is) red", "❌", before=r"(?:\b|(?=❌))", after=r"(?:\b|(?<=❌))")
IDLE = _any("if", "would", "so that", "so a", "reads? as", "means", "whenever", r"regress\w*")
