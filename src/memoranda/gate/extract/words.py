"""Word lists that the rules look things up in. Data only; a word missing here costs a fact its key, not its text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


# People who are the speaker's own, with the attribute that holds their name.
RELATIONS: dict[str, str] = {
    **dict.fromkeys(
        word_set(
            """wife husband partner spouse girlfriend boyfriend fiance fiancee fiancé fiancée gf
                bf"""
        ),
        "partner",
    ),
    **dict.fromkeys(
        word_set("""son daughter child kid baby boy stepson stepdaughter toddler"""),
        "children",
    ),
    **dict.fromkeys(
        word_set("""mother mum mom mam mama mummy mommy stepmother stepmom"""), "mother"
    ),
    **dict.fromkeys(word_set("""father dad papa daddy stepfather stepdad"""), "father"),
    **dict.fromkeys(
        word_set("""sister brother sibling twin stepsister stepbrother sis bro"""),
        "sibling",
    ),
    **dict.fromkeys(
        word_set(
            """grandma grandpa grandmother grandfather granny nan grandson granddaughter aunt
                uncle cousin niece nephew mother-in-law father-in-law sister-in-law brother-in-law
                godmother godfather"""
        ),
        "relative",
    ),
    **dict.fromkeys(
        word_set("""friend flatmate roommate housemate neighbour neighbor bestie"""), "friend"
    ),
    **dict.fromkeys(
        word_set(
            """boss manager colleague coworker co-worker teammate assistant intern mentor
                supervisor"""
        ),
        "colleague",
    ),
}
SEVERAL = word_set(
    "kids children sons daughters parents grandparents brothers sisters siblings friends twins "
    "guests"
)
# Without a name before it, one of several such people can't be told from the next.
SHARED = word_set("friend colleague coworker cousin neighbour neighbor uncle aunt")
BARE_RELATIONS = word_set("mum mom dad grandma grandpa granny nan papa mama")

ANIMALS = word_set(
    """cat cats dog dogs puppy puppies pup kitten kittens hamster hamsters rabbit rabbits bunny bunnies parrot parrots
    budgie budgies canary canaries fish goldfish turtle turtles tortoise tortoises horse horses pony ponies snake
    snakes lizard lizards gecko geckos ferret ferrets rat rats mouse mice hen hens chicken chickens duck ducks goat
    goats sheep pig pigs donkey donkeys cow cows guinea cockatiel cockatoo iguana chameleon axolotl greyhound beagle
    labrador lab retriever poodle collie terrier dachshund spaniel bulldog husky corgi chihuahua shepherd pug
    dalmatian whippet boxer tabby siamese persian maine-coon ragdoll pets pet"""
)

DIETS = word_set(
    """vegetarian vegan pescatarian pescetarian flexitarian carnivore omnivore fruitarian keto paleo kosher halal
    gluten-free dairy-free lactose-free low-carb teetotal teetotaler teetotaller sugar-free plant-based veggie"""
)
FOODS = word_set(
    """meat pork beef fish seafood shellfish eggs egg dairy milk cheese gluten wheat nuts peanuts sugar lamb chicken
    gelatine gelatin mushrooms onions garlic soy bread red honey butter veal poultry carbs tomatoes"""
)

LANGUAGES = word_set(
    """english german french spanish italian portuguese dutch danish norwegian swedish finnish icelandic polish czech
    slovak slovene slovenian croatian serbian bosnian hungarian romanian bulgarian greek turkish russian ukrainian
    belarusian estonian latvian lithuanian albanian macedonian arabic hebrew persian farsi urdu hindi punjabi bengali
    tamil telugu marathi gujarati kannada malayalam sinhala nepali thai vietnamese khmer lao burmese indonesian malay
    tagalog filipino japanese korean chinese mandarin cantonese mongolian tibetan swahili amharic yoruba igbo hausa
    zulu xhosa afrikaans somali catalan basque galician welsh irish gaelic breton maltese luxembourgish esperanto
    latin armenian georgian kazakh uzbek kurdish pashto asl bsl flemish castilian quechua hawaiian maori samoan"""
)
NATIONALITIES = LANGUAGES | word_set(
    """austrian swiss american british canadian australian scottish mexican brazilian argentinian chilean colombian
    peruvian venezuelan cuban indian pakistani bangladeshi belgian egyptian moroccan algerian tunisian nigerian
    ghanaian kenyan ethiopian israeli palestinian lebanese syrian iraqi iranian saudi african european asian
    ecuadorian bolivian jamaican haitian zealander taiwanese singaporean malaysian cypriot moldovan"""
)

ROLES = word_set(
    """nurse doctor teacher engineer lawyer chef cook waiter waitress barista baker butcher carpenter plumber
    electrician mechanic welder mason painter architect designer developer programmer coder analyst consultant manager
    director ceo cto cfo coo founder cofounder co-founder accountant auditor bookkeeper banker broker realtor agent
    salesperson cashier clerk secretary receptionist librarian translator interpreter journalist editor writer author
    poet novelist actor actress musician singer dancer artist sculptor illustrator photographer filmmaker director
    producer scientist biologist chemist physicist mathematician statistician geologist astronomer economist
    psychologist therapist physiotherapist dentist surgeon vet veterinarian pharmacist midwife paramedic optician
    radiologist cardiologist firefighter policeman policewoman officer soldier pilot sailor captain driver courier
    farmer gardener florist hairdresser barber tailor dressmaker cleaner janitor nanny babysitter tutor professor
    lecturer researcher student postdoc undergraduate freelancer contractor entrepreneur politician diplomat judge
    priest pastor imam rabbi monk nun coach trainer referee athlete gymnast goalkeeper treasurer chairman chairwoman
    chair president secretary apprentice intern trainee technician operator administrator sysadmin admin coordinator
    specialist supervisor superintendent foreman recruiter marketer planner surveyor inspector conductor composer
    blogger youtuber streamer podcaster curator archivist historian philosopher linguist sociologist anthropologist
    archaeologist landlord landlady caretaker housewife househusband homemaker pensioner retiree volunteer lifeguard
    beekeeper winemaker brewer fisherman fisherwoman miner builder roofer tiler locksmith jeweller jeweler potter
    blacksmith glazier upholsterer head lead principal dean rector warden counsellor counselor assistant sommelier
    bartender server host hostess steward stewardess paralegal notary actuary underwriter trader investor stylist
    model dietitian nutritionist optometrist chiropractor orthodontist scholar fellow"""
)
ROLE_ENDINGS = (
    "ologist",
    "ographer",
    "engineer",
    "smith",
    "keeper",
    "maker",
    "wright",
    "ician",
    "monger",
)
NO_ROLES = word_set(
    """fan lover beginner member owner believer survivor winner loser dreamer supporter sucker mess person parent
    mother father human girl guy man woman kid bit little lot big huge good bad great happy early late night morning
    quick slow total complete real true proud single friend stranger newcomer follower reader user customer listener
    thinker helper walker role"""
)

EDITORS = word_set(
    """vim neovim nvim emacs vscode vscodium sublime zed helix nano pycharm intellij webstorm phpstorm goland rider
    clion rubymine eclipse netbeans xcode atom notepad++ cursor kakoune spacemacs doom jetbrains textmate bbedit kate
    geany rstudio"""
)
EDITOR_PHRASES = (
    "vs code",
    "visual studio",
    "sublime text",
    "android studio",
    "jupyter",
    "intellij idea",
)
BROWSERS = word_set("firefox chrome safari edge opera brave vivaldi chromium arc librewolf")
SYSTEMS = word_set(
    "linux windows mac macos ubuntu debian fedora arch nixos mint android ios freebsd openbsd "
    "popos manjaro opensuse"
)
PROGRAMMING = word_set(
    """python rust java javascript typescript go golang c c++ c# ruby php perl kotlin swift scala haskell elixir erlang
    clojure lisp ocaml f# julia r matlab fortran cobol ada zig nim dart lua bash sql prolog scheme racket groovy
    assembly vba pascal delphi crystal elm"""
)
PHONES = ("iphone", "pixel", "fairphone", "galaxy", "nokia", "xperia", "oneplus", "huawei", "xiaomi", "motorola",
          "android phone", "smartphone", "redmi", "nothing phone")  # fmt: skip
DEVICES = ("thinkpad", "macbook", "framework", "laptop", "ipad", "tablet", "kindle", "chromebook", "desktop pc",
           "surface", "imac", "mac mini", "dell", "playstation", "xbox", "nintendo switch", "steam deck", "raspberry",
           "apple watch", "smartwatch", "printer", "e-reader")  # fmt: skip
CARS = ("car", "skoda", "škoda", "volkswagen", "vw", "golf", "toyota", "honda", "ford", "fiat", "renault", "dacia",
        "tesla", "bmw", "audi", "mercedes", "volvo", "opel", "peugeot", "citroen", "citroën", "hyundai", "kia", "mazda",
        "nissan", "subaru", "suzuki", "seat", "jeep", "chevrolet", "chevy", "prius", "ferrari", "porsche", "van",
        "camper", "truck", "pickup", "suv", "jaguar", "lexus", "mitsubishi", "mustang")  # fmt: skip
OWNED = word_set(
    """house flat apartment boat yacht bike bicycle motorbike motorcycle scooter guitar piano violin cello drone camera
    garden allotment cottage cabin telescope greenhouse caravan sailboat kayak canoe sauna oven toaster air-fryer
    office dishwasher 3d-printer loom sewing-machine ukulele"""
)
CONDITIONS = word_set(
    """diabetes asthma epilepsy adhd autism dyslexia migraine migraines arthritis anxiety depression insomnia eczema
    hypertension coeliac celiac tinnitus psoriasis hay-fever ibs endometriosis anaemia anemia"""
)
TRAITS = word_set(
    """diabetic colour-blind colorblind color-blind left-handed right-handed dyslexic autistic deaf blind epileptic
    asthmatic coeliac celiac anaemic short-sighted pregnant"""
)

# Nouns of the speaker's own affairs: "the deadline is ..." is worth keeping, "the president is ..." is not.
AFFAIRS = word_set(
    """project release build deadline course class meeting appointment exam keynote speaker price licence license budget
    team server database repo repository branch app application site website shop service production client tester
    office kitchen hotel room flight gate practice party dentist workshop lesson training rehearsal wedding interview
    standup sprint review launch demo presentation train bus rent lease contract subscription plan version firmware
    pipeline staging codebase cluster analytics frontend backend api conference event delivery invoice trip tour
    surgery length size limit port path code rate
    fee cost landlord tenant plumber doctor kindergarten school choir match game tournament concert show festival"""
)

NEEDS = word_set(
    """access glasses wheelchair insulin size medication reminders quiet subtitles hearing-aid diet interpreter parking
    sleep captions braille fonts font contrast wheelchair-access"""
)

# Words that say what a preference is about.
TOPICS: tuple[tuple[str, frozenset[str]], ...] = (
    ("theme", word_set("theme mode")),
    ("units", word_set("metric imperial celsius fahrenheit kilometres kilometers miles kilograms pounds units")),
    ("date_format", word_set("24-hour 12-hour am/pm iso 24h 12h clock")),
    ("indentation", word_set("indentation indent tabs spaces")),
    ("spelling", word_set("spelling")),
    ("currency", word_set("euros dollars currency")),
    ("answer_style", word_set(
        """short brief concise long detailed formal informal casual friendly direct answers answer replies reply
        responses response explanations explanation tone summaries words sentences simple blunt terse verbose""")),
    ("format", word_set(
        """bullet bullets table tables markdown json csv yaml pdf list lists paragraphs prose latex html diagrams
        headings code docx spreadsheet spreadsheets plain""")),
)  # fmt: skip
COLOURS = word_set(
    "red blue green yellow white black orange purple pink grey gray brown teal turquoise "
    "violet silver gold"
)
NUMBER_WORDS = word_set(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand"""
)
ARTICLES = word_set("a an the my our his her their some any this that these those its your")
