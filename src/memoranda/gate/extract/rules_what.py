"""Rules for what somebody has, uses, likes and does, and for how such things end."""

from memoranda.gate.extract.rule import Rule, rule

WHAT: tuple[Rule, ...] = (
    # pets and things
    rule("pet", r"(?:has|owns|got|adopted|bought|rescued) (?P<v>.+)", "pets", "has {v_a}"),
    rule("car", r"drives (?P<v>(?:an?|my|the) .+|(?-i:[A-Z]).+)", "thing", "drives {v}"),
    rule(
        "?thing",
        r"(?:has|owns)(?: now| also)? (?P<v>(?:an?|the|two|three|my) .+|iphone.*|macbook.*)",
        "classified",
        "has {v}",
    ),
    rule(
        "?thing",
        r"(?:got|bought|opened|picked up) (?P<v>(?:an?|another|the|two|my|our) .+)",
        "classified",
        "has {v}",
        0.85,
    ),
    rule("possession", r"bought (?P<v>an? .+)", "bought", "bought {v}", 0.7),
    rule("possession", r"owns (?P<v>.+)", "thing", "owns {v}", 0.8),
    # tools and preferences
    rule("?tool", r"(?:uses|is using)(?: now| mostly| only)? (?P<v>.+)", "tool", "uses {v}", 0.85),
    rule(
        "?tool",
        r"(?:switched|moved|migrated|changed|gone back|upgraded|went back)(?: over| back| "
        r"away)?(?: from [\w .+-]{1,30}?)? to (?P<v>.+)",
        "new_tool",
        "uses {v}",
        0.8,
    ),
    rule(
        "?tool",
        r"(?:runs(?= on)|deploys|builds|tests|hosts|ships|develops)(?: [\w ]{1,30}?)? (?:with|on|using) "
        r"(?P<v>(?-i:[A-Z]).+)",
        "tool",
        "works with {v}",
        0.7,
    ),
    rule(
        "?preference",
        r"prefers? (?!not )(?P<v>.+?)(?= over | than | to (?!be\b|have|get|see|use|keep|go\b|read|work)| "
        r"rather than | instead of |$)",
        "whole",
        "prefers {v}",
    ),
    rule(
        "preference",
        r"prefers? (?P<n>not )?to (?P<v>[a-z]+(?: .+)?)",
        "infinitive",
        "prefers {n}to {v}",
    ),
    rule("preference", r"prefers? not (?!to )(?P<v>[a-z]+ .+)", "infinitive", "prefers not to {v}"),
    rule(
        "preference",
        r"(?:likes|loves|hates|dislikes|cannot stand|wants(?= to be (?:addressed|contacted|treated|asked|informed|notified))) "
        r"(?:to be|being) (?P<v>[a-z]+(?:ed|t|wn)\b.*)",
        "infinitive",
        "{verb} {v}",
    ),
    rule(
        "preference",
        r"is (?P<v>(?:most|more|least|at my) (?:productive|focused|creative|alert|active|awake|relaxed|best) "
        r"(?:in|after|before|at|during|with|when) .+)",
        "infinitive",
        "is {v}",
        0.8,
    ),
    rule("preference", r"works best (?P<v>.+)", "infinitive", "works best {v}", 0.8),
    rule(
        "preference",
        r"(?:likes|takes|drinks|prefers|loves) (?:my|the) (?P<v>(?:coffee|tea|eggs?|steak|meat|toast|pizza|food|wine|"
        r"water|salad|pasta|code|answers|reports|slides|meetings|summaries|showers?|news) .+)",
        "infinitive",
        "{verb} {v}",
    ),
    rule(
        "preference",
        r"is (?P<n>(?:more |most |only )?)comfortable (?P<v>(?:in|with|discussing|talking|using|reading|speaking) .+)",
        "infinitive",
        "is {n}comfortable {v}",
        0.8,
    ),
    rule(
        "condition",
        r"uses (?P<v>an? (?:wheelchair|screen[ -]?reader|hearing aid|guide dog|white cane|cane|magnifier|walker)\b.*)",
        "infinitive",
        "uses {v}",
    ),
    rule(
        "condition",
        r"is (?P<v>(?:hard of hearing|visually impaired|partially sighted|housebound))\b.*",
        "infinitive",
        "is {v}",
    ),
    rule(
        "condition",
        r"(?:is|sits) in (?P<v>a wheelchair)\b.*",
        "infinitive",
        "uses {v}",
    ),
    rule(
        "preference",
        r"is (?:more of |really |definitely |very much )?(?P<v>an? (?:[\w-]+ ){1,2}person|a night owl|an early (?:bird|riser))$",
        "infinitive",
        "is {v}",
        0.8,
    ),
    rule(
        "preference",
        r"finds (?P<v>(?!the |this |it |that )(?:[\w-]+ ){0,3}[\w-]+ (?:really |very |so |too )?(?:hard|difficult|annoying|distracting|confusing|"
        r"helpful|useful|easier|impossible|stressful|boring|overwhelming)(?: to \w+.*)?)$",
        "infinitive",
        "finds {v}",
        0.8,
    ),
    # likes
    rule(
        "likes",
        r"(?:likes|loves|enjoys|adores|is fond of|is crazy about|is really into|is into|is (?:a "
        r")?(?:big |huge |great |massive )?fan of|is (?:a )?(?:big|huge|massive) fan of) "
        r"(?P<v>.+)",
        "likes",
        "likes {v}",
        0.8,
    ),
    rule(
        "likes",
        r"(?:hates|dislikes|detests|cannot stand|cannot bear|loathes) (?P<v>.+)",
        "likes",
        "likes {v}",
        0.8,
        denies=True,
    ),
    rule("likes", r"drinks (?P<v>.+)", "likes", "drinks {v}", 0.8),
    rule(
        "fear",
        r"(?:is|gets)(?: really| very| so| also)? (?:afraid|scared|terrified) of (?P<v>.+)",
        "list",
        "is afraid of {v}",
    ),
    rule("supports", r"supports (?P<v>(?-i:[A-Z]).+)", "thing", "supports {v}"),
    # activities
    rule(
        "hobby",
        r"(?:goes|is into|enjoys|started|has taken up|took up|does) (?P<v>(?:climbing|running|"
        r"swimming|hiking|cycling|skiing|surfing|bouldering|dancing|fishing|sailing|knitting|"
        r"painting|gardening|birdwatching|kayaking|jogging|skating|snowboarding|rowing|pottery|"
        r"archery|yoga|pilates|judo|karate|boxing|fencing|crossfit|ballet|gymnastics|horse "
        r"riding|martial arts|photography|woodworking)\b.*)",
        "whole",
        "{verb} {v}",
    ),
    rule(
        "hobby",
        r"plays (?P<v>(?!along|around|together|with|it|that|this|out|a role|a part)(?:the "
        r")?[\w-]+.*)",
        "whole",
        "plays {v}",
    ),
    rule(
        "hobby",
        r"goes to (?:the )?(?P<v>(?:gym|pool|church|mosque|synagogue|temple|choir|library|sauna|"
        r"theatre|opera)\b.*)",
        "whole",
        "goes to the {v}",
        0.8,
    ),
    rule(
        "hobby",
        r"is learning (?:how )?to (?P<v>(?:play|paint|cook|draw|swim|ski|surf|code|program|knit|"
        r"sew|dance|ride|drive|sing|juggle|bake|sail)\b.*)",
        "whole",
        "is learning to {v}",
    ),
    rule(
        "hobby", r"(?:collects|builds|restores|breeds|grows) (?P<v>.+)", "list", "{verb} {v}", 0.8
    ),
    rule(
        "hobby",
        r"(?P<v>runs|swims|cycles|paints|sings|knits|sews|dances|sails|fishes|hikes|climbs|skis|"
        r"jogs|smokes)\b(?P<r>(?: (?:marathons?|half marathons?|every|each|in a choir|in the|"
        r"for|about|three|twice|once|a few|a lot|on|with).*)?)$",
        "whole",
        "{v}{r}",
        0.8,
    ),
    rule(
        "membership", r"is (?:a |an )?(?:\w+ )?members? of (?P<v>.+)", "thing", "is a member of {v}"
    ),
    rule(
        "membership",
        r"(?:is|plays|sings) (?:in|on|part of) (?P<v>(?:the|an?) [\w' -]{0,40}?(?:programme|"
        r"program|team|club|band|choir|orchestra|committee|board|council|group)\b.*)",
        "thing",
        "is in {v}",
        0.8,
    ),
    rule(
        "subscription",
        r"(?:subscribes to|pays for|has a subscription to|is subscribed to) (?P<v>.+)",
        "thing",
        "{verb} {v}",
    ),
    rule(
        "course",
        r"(?:is taking|takes|is doing|is enrolled in|attends|is attending) (?P<v>(?:an? |the "
        r")?[\w -]{2,40}(?:course|class|classes|workshop|lessons))",
        "thing",
        "is taking {v}",
    ),
    rule("visited", r"(?:has)(?: also| now)? been to (?P<v>.+)", "place", "has been to {v}", 0.8),
    rule(
        "project",
        r"is (?:working on|building|writing) (?P<v>an? (?!.*\b(?:bug|issue|problem|task|ticket|"
        r"fix|question|reply|email|test)\b).+)",
        "thing",
        "is working on {v}",
        0.6,
    ),
)

# Endings that name no affirmative verb: (attribute or None for "whatever it was", pattern, sentence).
ENDINGS: tuple[Rule, ...] = (
    rule(
        "employer",
        r"(?:quit|left|resigned from|lost|gave up|got laid off from|was laid off from|got fired "
        r"from|was fired from|retired from)(?: (?:my|our|their|his|her|the)(?: old)? (?:job|"
        r"position)(?: at| with)?| working at)? (?P<v>(?-i:[A-Z]).+)",
        "organisation",
        "no longer works at {v}",
        0.85,
        ends=True,
    ),
    rule(
        "employer",
        r"(?:quit|resigned|left|lost|got laid off|was laid off|got fired|was fired|is "
        r"unemployed|is between jobs|is out of work|has been laid off)(?: (?:my|our|their|his|"
        r"her|the) (?:job|position))?(?=$|,| (?:\w+day|last|this|today|in|to|and|because)\b)",
        "",
        "no longer has the job they had",
        0.85,
        ends=True,
    ),
    rule(
        "partner",
        r"(?:and (?P<v>(?-i:[A-Z])\w+) )?(?:broke up|split up|separated|got divorced|have split "
        r"up|have separated)(?: with (?P<v2>(?-i:[A-Z])\w+))?",
        "",
        "broke up with the partner they had",
        0.85,
        ends=True,
    ),
    rule(
        "?thing",
        r"(?:sold|gave away|got rid of|donated|scrapped|gave|returned|wrecked|totalled)(?: "
        r"away)? (?:my|our|the|their) (?P<v>(?!idea|ticket|point|story).+?)(?: away| and .+| to "
        r".+)?$",
        "thing",
        "no longer has their {v}",
        0.85,
        ends=True,
    ),
    rule(
        "?subscription",
        r"(?:cancell?ed|unsubscribed from|let)(?: (?:my|our|the))? (?P<v>.+?)(?: subscription| "
        r"membership)?(?:(?<= subscription)| run out| lapse| expire|(?<!out))$",
        "thing",
        "no longer has {v}",
        0.75,
        ends=True,
    ),
    rule(
        "?role",
        r"(?:stepped down as|resigned as|retired as|is no longer) (?:an? |the )?(?P<v>.+)",
        "thing",
        "is no longer {v}",
        0.85,
        ends=True,
    ),
    rule(
        "?membership",
        r"(?:left|quit|dropped out of) (?P<v>(?:(?:the|my|our) )?[\w' -]{0,40}?(?:club|team|"
        r"programme|program|band|choir|gym|group|board|committee|association|church|party|"
        r"course|union|society|orchestra|school|university|college|council)\b.*)",
        "thing",
        "has left {v}",
        0.75,
        ends=True,
    ),
)
