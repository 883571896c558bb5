"""Sensitive topics: what somebody is, believes or has, said of a person. A mention of the topic alone is none.

The classes are those of the GDPR, articles 9 and 10. Diet and allergies are a class of their own: people tell them so
that they are remembered.
"""

from __future__ import annotations

from memoranda.gate.screen.rule import Rule

BE = r"(?:am|is|are|was|were|'m|'s|'re|identif\w{1,4} as|came out as|com\w{1,3} out as|became|become|as an?|being)"
SOME = r"(?:an?\s|the\s|now\s|openly\s|also\s|a\s(?:devout|practi[sc]ing|lapsed|former)\s|(?:devout|practi[sc]ing|lapsed|strongly|very|deeply)\s){0,3}"
ILL = (
    r"cancer|leuk(?:a)?emia|lymphoma|melanoma|tumou?r|diabet(?:es|ic)|hiv|aids|hepatitis|tuberculosis|epilepsy|epileptic|asthma|copd|parkinson'?s?|alzheimer'?s?|dementia|multiple sclerosis|lupus|crohn'?s?|colitis|endometriosis|"
    r"depression|depressed|depressive|bipolar|schizophreni\w{1,3}|ptsd|ocd|adhd|autis\w{2,4}|anorexi\w{1,2}|bulimi\w{1,2}|eating disorder|anxiety disorder|panic (?:attacks?|disorder)|borderline|psychosis|burnout|"
    r"hypertension|high blood pressure|heart (?:disease|failure|condition|attack)|stroke|arrhythmia|angina|kidney (?:disease|failure)|cirrhosis|arthritis|osteoporosis|migraines?|fibromyalgia|chronic \w{2,20}|infertil\w{2,4}|miscarriage|abortion|pregnan\w{1,3}|"
    r"addict(?:ed|ion)|alcoholi\w{1,3}|overdose|suicid\w{2,4}|self-harm\w{0,3}|covid|sti|std|chlamydia|herpes|syphilis|gonorrhea"
)
ILL_WORDS = tuple(
    """cancer leukemia leukaemia lymphoma melanoma tumor tumour diabetes diabetic hiv aids hepatitis tuberculosis epilepsy epileptic asthma copd parkinson parkinsons alzheimer
    dementia sclerosis lupus crohn colitis endometriosis depression depressed depressive bipolar schizophrenia schizophrenic ptsd ocd adhd autism autistic anorexia anorexic bulimia
    bulimic disorder panic borderline psychosis burnout hypertension pressure heart stroke arrhythmia angina kidney cirrhosis arthritis osteoporosis migraine migraines fibromyalgia
    chronic infertile infertility miscarriage abortion pregnant pregnancy addicted addiction alcoholic alcoholism overdose suicide suicidal harm covid sti std chlamydia herpes syphilis
    gonorrhea insulin metformin antidepressant antidepressants ssri ssris sertraline fluoxetine prozac zoloft lithium methadone antipsychotic antipsychotics chemo chemotherapy warfarin
    ritalin adderall xanax valium diagnosed diagnosis rehab psychiatrist psychotherapist therapist blood""".split()
)
FAITHS = r"catholic|protestant|christian|orthodox|lutheran|baptist|methodist|evangelical|mormon|jehovah'?s witness|muslim|sunni|shia|sufi|jewish|jew|hindu|buddhist|sikh|jain|bah[aá]'?[ií]|atheist|agnostic|pagan|wiccan|scientologist|quaker"
PARTIES = r"republican|democrat|conservative|liberal|socialist|communist|marxist|anarchist|libertarian|labour|tory|green party|social democrat|nationalist|leftist|left-wing|right-wing|far-right|far-left|trump|biden|maga|afd|spd|cdu|fdp|die linke|ukip|lib dem"


def _topic(name: str, pattern: str, *anchors: str, after: int = 90, before: int = 40) -> Rule:
    return Rule(name, "topic", name, rf"(?i)\b(?:{pattern})\b", anchors, "word", 0, before, after)  # fmt: skip


TOPICS: tuple[Rule, ...] = (
    _topic("health", rf"(?:diagnos\w{{2,4}}|suffer\w{{0,3}}|living|lives|struggl\w{{1,3}}|battl\w{{1,3}}|treated|hospitali[sz]ed|medicated|recovering)\s(?:with|from|for|of)\s(?:[\w-]{{1,20}}\s){{0,3}}(?:{ILL})"
           rf"|(?:have|has|had|having|got|gets|{BE})\s(?:been\s)?{SOME}(?:[\w-]{{1,12}}\s){{0,1}}(?:{ILL})(?!\s(?:awareness|research|charity|walk|run|fundraiser|center|centre|drive|clinic|patients|friendly))"
           r"|(?:takes?|taking|prescribed|on)\s(?:[\w-]{1,12}\s){0,2}(?:insulin|metformin|antidepressants?|ssris?|sertraline|fluoxetine|prozac|zoloft|lithium|methadone|antipsychotics?|chemo(?:therapy)?|warfarin|ritalin|adderall|xanax|valium)"
           r"|diagnos(?:ed|is)\s(?:with|of|as)\s[\w'-]{3,30}|(?:in|goes to|seeing a|sees a)\s(?:rehab|psychiatrist|psychotherapist|therapist for)|(?:blood type|hiv status|t-cell count)\s(?:is|of)",
           *ILL_WORDS, before=70),
    _topic("sexuality", rf"{BE}\s{SOME}(?:gay|lesbian|bisexual|bi|queer|asexual|pansexual|homosexual|transgender|trans|transsexual|non-?binary|intersex|closeted|polyamorous)(?!\s(?:rights|bar|community|movement|pride|flag|studies|fat|alps|siberian))"
           r"|(?:sexual (?:orientation|preference)|gender identity)\s(?:is|was)|(?:trans(?:gender)?|gender)\stransition\b|transition(?:ed|ing)\sfrom\s(?:male|female|man|woman)|sleep(?:s|ing)\swith\s(?:other\s)?(?:men|women)|(?:has|have|had|having)\san\saffair",
           "gay", "lesbian", "bisexual", "bi", "queer", "asexual", "pansexual", "homosexual", "transgender", "trans", "transsexual", "binary", "nonbinary", "intersex", "closeted", "polyamorous", "sexual", "identity", "transition", "transitioned", "transitioning", "sleeps", "sleeping", "affair", before=60),
    _topic("religion", rf"{BE}\s{SOME}(?:{FAITHS})(?!\s(?:school|church|music|holiday|food|cuisine|cemetery|art|museum|bale|democrats?))|convert(?:ed|ing|s)?\s(?:to|from)\s(?:islam|christianity|judaism|buddhism|hinduism|catholicism|mormonism|{FAITHS})"
           r"|(?:religion|faith|denomination)\s(?:is|was)\s\w|(?:attends?|goes to|go to)\s(?:[\w']{1,20}\s){0,3}(?:mass|mosque|synagogue|temple|church every|church on sundays?|bible study)|prays?\s(?:five times|every|daily)",
           *"catholic protestant christian orthodox lutheran baptist methodist evangelical mormon witness muslim sunni shia sufi jewish jew hindu buddhist sikh jain atheist agnostic pagan wiccan scientologist quaker convert converted converting converts religion faith denomination mass mosque synagogue temple church bible prays pray".split(), before=60),
    _topic("politics", rf"(?:vot(?:e|es|ed|ing)|campaign(?:s|ed|ing)?|canvass\w{{0,3}})\s(?:for|against)\s(?:the\s)?(?:[\w-]{{1,20}}\s){{0,2}}(?:{PARTIES}|party|president|candidate)|{BE}\s{SOME}(?:registered\s|card-carrying\s|lifelong\s){{0,2}}(?:{PARTIES})(?:\s(?:voter|member|supporter|party))?"
           r"|(?:member|supporter|donor|activist)\s(?:of|in|for|to)\sthe\s(?:[\w-]{1,20}\s){0,3}(?:party|republicans|democrats|conservatives|greens|labour)|political (?:views?|opinions?|beliefs?|affiliation|party)\s(?:is|are|was)|donat\w{1,3}\sto\s(?:the\s)?(?:[\w'-]{1,20}\s){0,3}(?:campaign|party)",
           *"vote votes voted voting campaign campaigns campaigned campaigning republican democrat conservative liberal socialist communist marxist anarchist libertarian labour tory nationalist leftist wing party political afd spd cdu fdp ukip maga republicans democrats conservatives greens".split(), before=60),
    _topic("union", r"(?:member|steward|organi[sz]er|rep|representative|official)\s(?:of|for|in|at)\s(?:the\s|a\s|our\s|my\s)?(?:[\w-]{1,20}\s){0,3}union|(?:trade|labou?r|workers'?)\sunion\s(?:member|steward|rep\w{0,12}|organi[sz]er|official|dues|card)|union\s(?:member(?:ship)?|steward|rep|representative|organi[sz]er|dues)|(?:joined|joining|join|joins|unioni[sz]\w{1,3})\s(?:the\s|a\s|our\s)?(?:[\w-]{1,20}\s){0,2}(?:union|gewerkschaft)|gewerkschaftsmitglied|works council member",
           "union", "gewerkschaft", "gewerkschaftsmitglied", "council", before=60),
    _topic("biometrics", r"(?:fingerprints?|iris scan|retina scan|face ?print|facial (?:template|recognition data)|voice ?print|dna (?:profile|sample|test|results?|sequence)|genome|genetic (?:test|data|profile|marker|mutation)|brca[12]?)\s(?:is|are|was|were|shows?|showed|stored|template|hash|data|on file|registered|results?|mutation)|(?:carries|carrier of|tested positive for)\s(?:the\s|a\s)?(?:[\w-]{1,12}\s){0,2}(?:gene|mutation|brca)",
           *"fingerprint fingerprints iris retina faceprint facial voiceprint voice dna genome genetic brca carries carrier positive face".split()),
    _topic("legal", r"(?:convicted|accused|charged|indicted|sentenced|arrested|acquitted|imprisoned|jailed|on trial|on probation|on parole|prosecuted)\s(?:of|for|with|to|in|by|on)\b|(?:criminal|police|arrest)\s(?:record|conviction|charges?)|(?:has|have|had|with)\s(?:a|an|two|three|prior)\s(?:prior\s)?(?:conviction|felony|dui|dwi|restraining order)|(?:was|were|got|been|is)\s(?:arrested|convicted|jailed|imprisoned|sentenced|indicted)|(?:served|serving|did)\s(?:\w{1,12}\s){0,3}(?:in prison|in jail|sentence|prison time)|(?:undocumented|illegal)\s(?:immigrant|migrant|alien)|asylum (?:claim|seeker|application)|(?:filed|filing)\s(?:for\s)?(?:a\s)?(?:bankruptcy|lawsuit)|(?:custody|divorce|harassment|malpractice)\s(?:case|battle|proceedings|suit|lawsuit|hearing)|sued\s(?:by|for)",
           *"convicted accused charged indicted sentenced arrested acquitted imprisoned jailed trial probation parole prosecuted criminal police arrest conviction felony dui dwi prison jail undocumented illegal asylum bankruptcy lawsuit custody divorce harassment malpractice sued restraining".split(), before=60),
    _topic("diet", r"allergic to|(?:[\w-]{2,20}\s)?(?:allergy|allergies|intoleran(?:t|ce))\b|(?:gluten|lactose|dairy|nut|sugar)-?\s?(?:free|intolerant)|c(?:o)?eliac|vegan|vegetarian|pescatarian|kosher|halal|keto diet|(?:does|do|can)(?:n't| not|not)\seat",
           *"allergic allergy allergies intolerant intolerance gluten lactose dairy nut coeliac celiac vegan vegetarian pescatarian kosher halal keto eat".split()),
)  # fmt: skip
