"""English words whose forms no suffix tells: "bought" is "buy", "children" is "child".

Each group begins with the word under which all of it is found. Forms that are rather another word stand not here:
"rose", "bit", "bore", "leaves", "lives".
"""

from __future__ import annotations

GROUPS = """
arise arose arisen; bear borne; beat beaten; become became; begin began begun; bend bent; bind bound; bite
bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built; burn burnt;
buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug; dive
dove; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen;
feed fed; feel felt; fight fought; find found; flee fled; fly flew flown; forbid forbade forbidden; forget
forgot forgotten; forgive forgave forgiven; freeze froze frozen; grow grew grown; hang hung; hear heard; hide
hid hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; leap leapt; learn learnt;
leave left; lend lent; light lit; lose lost; mean meant; meet met; pay paid; ride rode ridden; ring rang rung;
rise risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken;
shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep
slept; slide slid; smell smelt; speak spoke spoken; spend spent; spill spilt; spin spun; stand stood; steal
stole stolen; stick stuck; sting stung; strike struck; swear swore sworn; sweep swept; swim swam swum; swing
swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand
understood; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind wound; write wrote
written; child children; man men; woman women; foot feet; tooth teeth; mouse mice; goose geese; person people;
wife wives; knife knives; shelf shelves; loaf loaves; half halves
"""

BASE = {
    form: words[0] for words in (group.split() for group in GROUPS.split(";")) for form in words[1:]
}
