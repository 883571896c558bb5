"""Everyday words that name the same thing, for recall without a model: "husband" finds "is married to".

Groups of English words of everyday life; a word may stand in several. A question's word then also finds facts that
hold another word of its groups, at less than half the worth of the word itself (`weights.CONCEPT`). It is no
thesaurus: only what people ask about themselves and others stands here, and only words that mean little else.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from memoranda.analysis import terms

GROUPS = """
husband wife spouse married partner wedding marriage anniversary
girlfriend boyfriend partner dating relationship fiance engaged
child children kid kids son daughter baby toddler sons daughters
sibling siblings brother sister twin brothers sisters
mother mum mom mama parent parents
father dad papa parent parents
grandmother grandfather grandma grandpa granny grandparent grandparents
cousin aunt uncle niece nephew relative relatives family
family brother sister mother father wife husband son daughter parents
pet pets dog cat puppy kitten rabbit hamster parrot animal
dog puppy terrier retriever spaniel labrador poodle collie
cat kitten tabby siamese
vet veterinarian veterinary
job work works profession occupation career employed living employer company position trade
employer company firm employed job
boss manager supervisor superior report reports lead
colleague coworker teammate workmate team
salary income wage pay earn earns
born birthplace childhood birth raised grew
birthday born birth birthdate age
age old years
name called named nickname surname
live lives living home reside resides address based city town residence
flat apartment house home lodging rent rents
move moved moving relocate relocated
country nationality citizenship citizen passport
commute commutes cycle cycles bus train tram drive drives metro subway
bike bicycle cycle cycling cyclist
car drive drives vehicle van truck
travel trip journey holiday vacation flight voyage
flight fly flies plane airline airport seat
train rail railway railcard
hotel accommodation hostel
eat eats food meal cuisine dish dinner lunch breakfast restaurant cook cooks cooking
restaurant bistro cafe eatery dinner
vegetarian vegan meat diet food eat eats cook
allergic allergy allergies intolerant intolerance
drink drinks beverage coffee tea wine beer
coffee espresso cappuccino latte
alcohol wine beer whisky drink drinks teetotal sober
dislike dislikes hate hates avoid avoids loathe loathes stand
like likes love loves enjoy enjoys favourite favorite prefer prefers fond keen
prefer prefers preference favourite favorite rather
sport sports football soccer tennis basketball swimming running gym climbing
run runs running jog jogging marathon race
swim swims swimming pool
gym workout exercise fitness train training
match game stadium supports football rugby
hobby hobbies pastime leisure enjoys spare
music song band listen listens album concert jazz rock classical playlist
instrument piano guitar violin cello flute plays drum drums
film movie cinema watch watches director
series show television tv watch watches
book books novel read reads reading author writer
author writer novelist book books novel
game games gaming chess board plays
paint paints painting draw draws drawing art artist
garden gardening plant plants grow grows allotment
photograph photography camera photos
knit knits knitting sew sews sewing crochet
doctor physician gp surgery clinic
dentist teeth tooth dental
medicine medication tablet tablets pill pills drug prescription takes
ill illness sick disease condition unwell
injury injured knee ankle shoulder hurt pain sprained broken
therapist physiotherapist physio therapy treats
glasses contacts lenses eyesight
sleep sleeps bed asleep night wake wakes
school pupil class teacher primary secondary
university college degree studied study studies student graduate graduated
teacher tutor lecturer professor teaches
learn learns learning study studies studying lesson lessons course
language languages speak speaks fluent bilingual tongue
programming code coding language script scripts software python java rust julia
computer laptop machine operating linux windows macos
editor ide vim emacs vscode
phone mobile smartphone number call calls
email mail message messages
reply replies answer answers response responses
short brief concise long length
unit units metric imperial kilometre kilometres mile miles celsius fahrenheit
date dates format written day month
comment comments commented
meeting meetings call appointment calendar schedule
deadline due deadline finish
project leads lead charge works working
money save saves saving savings budget bank account
buy buys bought purchase shop shopping
gift present presents birthday
clothes clothing wear wears size fabric fabrics wool cotton shirt jacket
shoe shoes boots size
colour color colours green blue red yellow purple black white
religion religious church faith believes
neighbour neighbor neighbours next door
friend friends mate buddy pal
electricity power energy tariff
store stored keep keeps kept stores
key keys spare
weekend saturday sunday
morning early breakfast
evening night late
volunteer volunteers charity
meet meets met meeting
dead alive died death late
goal goals aim aims plan plans wants hope hopes
fear afraid scared phobia
sign signs signature signed
boat boats sail sails sailing dinghy ship ferry
herb herbs coriander basil parsley mint
nut nuts hazelnut hazelnuts peanut peanuts almond almonds walnut
cake dessert sweet sweets chocolate praline
audiobook audiobooks podcast podcasts listen listens
"""


@cache
def mates() -> dict[str, frozenset[str]]:
    """For each term the other terms of its groups."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in GROUPS.strip().splitlines():
        group = set(terms(line))
        for term in group:
            found[term] |= group - {term}
    return {term: frozenset(others) for term, others in found.items()}
