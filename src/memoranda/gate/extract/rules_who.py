"""Rules for who somebody is: name, home, work, language, food and health, family."""

from memoranda.gate.extract.rule import Rule, rule

WHO: tuple[Rule, ...] = (
    # identity
    rule(
        "nickname",
        r"(?:goes by(?= (?-i:[A-Z]))|is (?:usually |always |mostly )called|prefers to be called|likes to be "
        r"called) (?P<v>.+)",
        "name",
        "goes by {v}",
    ),
    rule(
        "age", r"(?:is|turned) (?P<v>\d.*|\w+ years? old|(?:\w+-)?\w+$)", "age", "is {v} years old"
    ),
    rule("age", r"is an? (?P<v>\d{1,3})[- ]year[- ]old\b.*", "whole", "is {v} years old"),
    rule(
        "height",
        r"is (?P<v>\d[\d.,']* ?(?:cm|m|metres?|meters?|feet|ft|foot)\b[^,]{0,12}) ?tall",
        "whole",
        "is {v} tall",
    ),
    rule("weight", r"weighs (?P<v>\d.+)", "thing", "weighs {v}"),
    rule("salary", r"(?:earns|makes) (?P<v>[^a-zA-Z]{0,3}\d.*)", "thing", "earns {v}"),
    # A year alone is no birthday: it must not take the place of one.
    rule(
        "birth_year", r"was born in (?P<v>(?:19|20)\d\d)(?! \w*\d)\b.*", "year", "was born in {v}"
    ),
    rule("birthplace", r"was born in (?P<v>[^\d\W].+)", "place", "was born in {v}"),
    rule(
        "birthday",
        r"was born (?P<p>on|in) (?P<v>(?:the )?\d.+|(?:january|february|march|april|may|june|july|"
        r"august|september|october|november|december)\b.*)",
        "whole",
        "was born {p} {v}",
    ),
    rule(
        "hometown",
        r"(?:grew up in|is originally from|originally comes? from|comes from|is from) (?P<v>.+)",
        "place",
        "is originally from {v}",
    ),
    rule("nationality", r"is (?P<v>(?-i:[A-Z])?.+)", "nationality", "is {v}", 0.85),
    # home
    rule(
        "home",
        r"(?:lives|is living|has lived|has been living|resides|is based|is located|settled)(?: "
        r"alone| together| right| with [\w ,-]{2,60}?)? (?P<p>in|at|near|on|outside) (?P<v>.+)",
        "place",
        "lives {p} {v}",
        0.95,
    ),
    rule(
        "home",
        r"(?:moved|relocated)(?: back| house| away| over| out| down| up| here)?(?: from "
        r"[\w' -]{1,40}?)? to (?P<v>.+)",
        "place",
        "lives in {v}",
    ),
    rule("home", r"(?:moved|relocated) into (?P<v>.+)", "place", "lives in {v}"),
    # employer, role, school
    rule(
        "role",
        r"(?:works|is working|has worked|has been working)(?: \S+){0,6}? as (?:an? |the "
        r")?(?P<v>.+)",
        "any_role",
        "works as {v_a}",
    ),
    rule(
        "employer",
        r"(?:works|is working|is employed|has worked|has been working) (?:in [\w -]{2,30}? "
        r")?(?:\w+ )?(?:at|for|with(?= (?-i:[A-Z]))|by) (?P<v>.+)",
        "organisation",
        "works at {v}",
    ),
    rule(
        "employer",
        r"(?:works|is working|has worked|has been working) as an? (?P<r>[\w -]{2,40}?) (?:at|for|with) (?P<v>.+)",
        "organisation",
        "works at {v}",
    ),
    rule(
        "employer",
        r"(?:started|began) (?:working|work|a new job|a job) (?:at|for) (?P<v>.+)",
        "organisation",
        "works at {v}",
    ),
    rule(
        "employer",
        r"(?:started|got|landed|accepted|found|begun|took)(?: working| a job| a new job| a "
        r"position| work| an? \w+ job)? (?:at|with) (?P<v>(?-i:[A-Z]).+)",
        "organisation",
        "works at {v}",
    ),
    rule(
        "employer",
        r"(?:started|got|landed|accepted|took) (?:a|the|my) (?:new )?(?:job|position|role) "
        r"(?:at|with|for) (?P<v>.+)",
        "organisation",
        "works at {v}",
    ),
    rule(
        "employer",
        r"(?:joined|got hired (?:at|by)|was hired by|changed (?:job|employer)s? to|moved from "
        r"\w+ to work at) (?P<v>(?-i:[A-Z]).+)",
        "organisation",
        "works at {v}",
        0.75,
    ),
    rule(
        "employer",
        r"is (?P<v>self-employed|a freelancer|freelancing|freelance)\b",
        "whole",
        "is {v}",
    ),
    rule(
        "employer",
        r"is an? (?P<r>[\w -]{2,40}?) (?:at|for|with) (?P<v>.+)",
        "organisation",
        "works at {v}",
        0.85,
    ),
    rule(
        "employer",
        r"is an? (?P<r>[\w -]{2,40}?) (?:on|in) the [\w -]{2,40}? (?:at|of) (?P<v>.+)",
        "organisation",
        "works at {v}",
        0.8,
    ),
    rule("role", r"is (?:an? |the )(?P<v>.+)", "role", "is {v_a}"),
    rule(
        "role",
        r"is (?P<v>(?:head|director|vice president|chief) of .+|retired|a? ?stay-at-home \w+)",
        "thing",
        "is {v}",
        0.85,
    ),
    rule(
        "role",
        r"(?:got|has been|became|is now)(?: promoted to| made)?(?: an?| the)? (?P<v>.+)",
        "role",
        "is {v_a}",
        0.8,
    ),
    rule("role", r"(?:got|been|was) promoted to (?P<v>.+)", "any_role", "is {v}"),
    rule(
        "role",
        r"(?:runs|owns|started|founded) (?P<v>(?:an? |(?:his|her|their|my|our) own )(?:\w+ "
        r"){0,3}(?:bakery|shop|restaurant|cafe|café|company|business|studio|agency|firm|farm|"
        r"salon|store|bookshop|practice|startup|start-up|hotel|pub|bar|gym)\b.*)",
        "whole",
        "runs {v}",
    ),
    rule(
        "school",
        r"(?:studies|is studying|studied|is a student|is doing \w+ \w+|got into)\b[\w ,]{0,40}? "
        r"(?:at|to) (?P<v>(?:the )?(?:(?-i:[A-Z])[\w.]+|university|college)(?: .*)?)",
        "organisation",
        "studies at {v}",
        0.8,
    ),
    rule(
        "school",
        r"(?:goes to|attends|is at|studies at) (?P<v>(?:the |an? )?[\w' -]{0,40}?(?:university|"
        r"college|school|academy)\b.*)",
        "organisation",
        "goes to {v}",
        0.8,
    ),
    rule(
        "field_of_study",
        r"(?:studies|is studying|majors in|is majoring in) (?P<v>.+?)(?= at | in |$)",
        "thing",
        "studies {v}",
        0.8,
    ),
    rule("teaches", r"(?:teaches|is teaching) (?P<v>.+)", "subjects", "teaches {v}"),
    rule("role", r"(?P<v>retired)(?: (?:in|last|early|this)\b.*)?$", "whole", "is retired"),
    rule(
        "team",
        r"(?:works|is working) in (?P<v>(?-i:[a-z])(?:(?! at )[\w -]){2,30})$",
        "thing",
        "works in {v}",
        0.7,
    ),
    rule(
        "timezone",
        r"is (?:in|on) (?P<v>(?:the )?[\w/ ]{2,30}? time(?: ?zone)?|(?-i:[A-Z]{3,4})|(?:utc|"
        r"gmt)[+-]?\d*)$",
        "whole",
        "is in {v}",
    ),
    # language
    rule(
        "language",
        r"(?:speaks|is fluent in|is learning|is studying|knows|is native in|understands)(?: to "
        r"speak| how to speak)? (?P<v>.+)",
        "languages",
        "{verb} {v}",
    ),
    rule("language", r"is (?:a |an )?native (?P<v>\w+) speaker", "languages", "speaks {v}"),
    rule(
        "programming_language",
        r"(?:programs|codes|writes|develops|is programming)(?: \w+)? in (?P<v>[\w+#]+(?: and "
        r"[\w+#]+)?)",
        "list",
        "programs in {v}",
    ),
    rule("programming_language", r"knows (?P<v>.+)", "programs", "knows {v}", 0.8),
    rule(
        "availability",
        r"is (?P<v>(?:reachable|available|free) (?:on|in|at|before|after|between|from|until|"
        r"every|only)\b.+)",
        "whole",
        "is {v}",
        0.8,
    ),
    rule(
        "availability",
        r"can only (?P<v>(?:meet|talk|call|work|come|do|take|make) .+)",
        "whole",
        "can only {v}",
        0.85,
    ),
    # diet, allergies, health
    rule(
        "diet",
        r"(?:is|has been|became|went|turned|is now)(?: now| also| a| an)* (?P<v>[\w-]+(?: "
        r"free)?.*)",
        "diet",
        "is {v}",
        0.95,
    ),
    rule(
        "diet",
        r"(?:keeps|eats|follows|is on)(?: strictly| only| a| an)* (?P<v>[\w-]+).*",
        "diet",
        "keeps a {v} diet",
    ),
    rule("diet", r"eats (?P<v>everything|anything|no meat)", "thing", "eats {v}"),
    rule("eats", r"eats (?P<v>.+)", "food", "eats {v}"),
    rule(
        "allergy",
        r"is(?: also| very| severely| highly| really| slightly| deathly| mildly)* allergic to "
        r"(?P<v>.+)",
        "list",
        "is allergic to {v}",
        0.95,
    ),
    rule(
        "allergy",
        r"has (?:an? )?(?:severe |bad |mild |serious |nasty |strong |slight )?(?P<v>[\w-]+(?: "
        r"[\w-]+)?) allergy",
        "thing",
        "is allergic to {v}",
    ),
    rule(
        "allergy",
        r"has (?:an? )?(?:\w+ )?(?:allergy|allergies|intolerance) to (?P<v>.+)",
        "list",
        "is allergic to {v}",
    ),
    rule(
        "allergy",
        r"is (?P<v>lactose|gluten|histamine|fructose|dairy)[- ]intolerant",
        "thing",
        "is {v} intolerant",
        0.95,
    ),
    rule("allergy", r"is intolerant (?:to|of) (?P<v>.+)", "list", "is intolerant to {v}"),
    rule(
        "condition",
        r"(?:has|suffers from|was diagnosed with|has been diagnosed with|is|lives with) (?P<v>.+)",
        "condition",
        "{verb} {v}",
        0.85,
    ),
    rule(
        "medicine",
        r"(?:takes|is taking) (?P<v>[\w-]+(?:in|ol|fen|ine|ide|ate|pril|statin|cillin|one|am)\b.*)",
        "thing",
        "takes {v}",
        0.75,
    ),
    # family
    rule(
        "partner", r"is (?:married|engaged) to (?P<v>(?-i:[A-Z])\w+)", "name", "is married to {v}"
    ),
    rule(
        "partner",
        r"(?:is dating|is seeing|started dating|is going out with) (?P<v>(?-i:[A-Z])\w+.*)",
        "name",
        "is dating {v}",
    ),
    rule(
        "marital_status",
        r"(?:is|got|has been|is happily)(?: happily| now| also)? (?P<v>married|divorced|widowed|"
        r"engaged|single)\b(?! (?:day|mom|mum|dad|mother|parent|out))",
        "thing",
        "is {v}",
    ),
    rule(
        "sibling",
        r"has (?P<v>(?:an?|one|two|three|four|five|six|\d) (?:\w+ )?(?:brothers?|sisters?|"
        r"siblings?)\b.*)",
        "whole",
        "has {v}",
    ),
    rule("children", r"has (?P<v>.+)", "children", "has {v_child}"),
)
