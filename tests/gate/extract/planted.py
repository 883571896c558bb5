"""What people say about themselves, and what they say that is no fact: written before the rules, and not from them.

`STATED`: a message, the attribute and a part of the value that must come out of it (sought in value and text,
without regard to case). `HARMLESS`: messages that must yield nothing. All are said on Wednesday 11 March 2026.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from memoranda.types import to_micros

SAID_AT = to_micros(datetime(2026, 3, 11, 10, 30, tzinfo=UTC))


class Stated(NamedTuple):
    """A message, the attribute and value it must yield ("": any attribute); `positive`: it affirms, not denies."""

    text: str
    attribute: str
    value: str
    positive: bool = True


STATED: tuple[Stated, ...] = (
    # name
    Stated("Hi, I'm Mirela.", "name", "Mirela"),
    Stated("My name is Oluwaseun Adeyemi, nice to meet you.", "name", "Oluwaseun Adeyemi"),
    Stated("my name's joost", "name", "joost"),
    Stated("Please call me Bex.", "nickname", "Bex"),
    Stated("Everyone calls me Teddy.", "nickname", "Teddy"),
    Stated("I go by Sam, by the way.", "nickname", "Sam"),
    # home
    Stated("I live in Ljubljana.", "home", "Ljubljana"),
    Stated("We moved to Porto last autumn.", "home", "Porto"),
    Stated("I’m based in Leeds these days", "home", "Leeds"),
    Stated("i live in a small village near galway", "home", "galway"),
    Stated("I've been living in Montréal since 2019.", "home", "Montréal"),
    Stated("My address is 14 Harbour Street, Whitby.", "home", "14 Harbour Street"),
    Stated("I just relocated to Singapore for work.", "home", "Singapore"),
    Stated("I grew up in Bergen.", "hometown", "Bergen"),
    Stated("I'm originally from Peru.", "hometown", "Peru"),
    # employer and role
    Stated("I work at Northwind Logistics.", "employer", "Northwind Logistics"),
    Stated("I work for the city library.", "employer", "city library"),
    Stated("I'm a nurse at St Mary's.", "employer", "St Mary's"),
    Stated("I'm a nurse at St Mary's.", "role", "nurse"),
    Stated("I work as a structural engineer.", "role", "structural engineer"),
    Stated("My job title is senior product designer.", "role", "senior product designer"),
    Stated("I just started a new job at Corvina Labs.", "employer", "Corvina Labs"),
    Stated("I got promoted to head of purchasing!", "role", "head of purchasing"),
    Stated("I teach chemistry at a secondary school.", "role", "chemistry"),
    Stated("I'm self-employed.", "employer", "self-employed"),
    Stated("I run a small bakery with two ovens.", "role", "bakery"),
    Stated("I study marine biology at the University of Bergen.", "school", "University of Bergen"),
    # language
    Stated("I speak Catalan and a little Basque.", "language", "Catalan"),
    Stated("I speak Catalan and a little Basque.", "language", "Basque"),
    Stated("My native language is Tamil.", "language", "Tamil"),
    Stated("I'm learning Japanese.", "language", "Japanese"),
    Stated("I'm fluent in Dutch.", "language", "Dutch"),
    # diet and allergies
    Stated("I'm vegetarian.", "diet", "vegetarian"),
    Stated("I've been vegan for six years now.", "diet", "vegan"),
    Stated("I don't eat pork.", "avoids", "pork"),
    Stated("I'm allergic to peanuts and shellfish.", "allergy", "peanuts"),
    Stated("I'm allergic to peanuts and shellfish.", "allergy", "shellfish"),
    Stated("I have a severe penicillin allergy.", "allergy", "penicillin"),
    Stated("i am lactose intolerant so no milk please", "allergy", "lactose"),
    Stated("I have coeliac disease, I can't eat gluten.", "avoids", "gluten"),
    Stated("I keep kosher.", "diet", "kosher"),
    # family
    Stated("My wife's name is Ingrid.", "partner", "Ingrid"),
    Stated("My husband Mateo is a carpenter.", "partner", "Mateo"),
    Stated("I have two kids, Leo and Mina.", "children", "Leo"),
    Stated("We have a daughter called Wren.", "children", "Wren"),
    Stated("I'm married.", "marital_status", "married"),
    Stated("My sister lives in Bern.", "sister.home", "Bern"),
    Stated("My mum is called Dolores.", "mother", "Dolores"),
    Stated("My brother works for Siemens.", "brother.employer", "Siemens"),
    Stated("My son is seven years old.", "son.age", "seven"),
    # pets
    Stated("I have two cats.", "pet", "two cats"),
    Stated("I have a dog called Biscuit.", "pet", "Biscuit"),
    Stated("My cat's name is Pixel.", "pet", "Pixel"),
    Stated("We just adopted a greyhound named Comet.", "pet", "Comet"),
    Stated("our parrot is called Figaro", "pet", "Figaro"),
    # tools and formats
    Stated("I use Neovim for everything.", "editor", "Neovim"),
    Stated("I prefer dark mode.", "theme", "dark"),
    Stated("I prefer short answers.", "answer_style", "short"),
    Stated("I prefer bullet points over long paragraphs.", "format", "bullet points"),
    Stated("I write mostly in Rust.", "programming_language", "Rust"),
    Stated("My phone is a Fairphone 5.", "phone", "Fairphone 5"),
    Stated("I have a ThinkPad X1.", "device", "ThinkPad X1"),
    Stated("I've switched from Chrome to Firefox.", "browser", "Firefox"),
    Stated("We use PostgreSQL at work.", "tool", "PostgreSQL"),
    Stated("I always use tabs for indentation.", "indentation", "tabs"),
    # standing wishes
    Stated("Always answer in German.", "answer_language", "German"),
    Stated("Please use metric units.", "units", "metric"),
    Stated("From now on, keep your replies under 100 words.", "answer_style", "under 100 words"),
    Stated(
        "Please never use emojis when you write to me.", "instruction", "emojis", positive=False
    ),
    # plans with dates
    Stated("I'm flying to Lisbon on 12 May.", "plan", "12 May 2026"),
    Stated("I have a dentist appointment next Tuesday.", "plan", "17 March 2026"),
    Stated("We're getting married in two weeks.", "plan", "25 March 2026"),
    Stated("I'm meeting Priya tomorrow at the museum.", "plan", "12 March 2026"),
    Stated("My exam is on the 14th.", "plan", "14 March 2026"),
    Stated("I'm going hiking this weekend.", "plan", "14 March 2026"),
    Stated("My flight to Oslo leaves on 2026-05-12.", "plan", "12 May 2026"),
    Stated("I'll be in Vienna from 3 April to 6 April.", "plan", "3 April 2026"),
    # likes, activities, possessions
    Stated("My favourite colour is teal.", "favourite_colour", "teal"),
    Stated("I love old detective novels.", "likes", "old detective novels"),
    Stated("I can't stand coriander.", "likes", "coriander", positive=False),
    Stated("I don't like horror films.", "likes", "horror films", positive=False),
    Stated("I play the cello in an amateur orchestra.", "hobby", "cello"),
    Stated("I go climbing every Thursday.", "hobby", "climbing"),
    Stated("My hobby is restoring old radios.", "hobby", "restoring old radios"),
    Stated("I drive a blue Skoda Octavia.", "car", "Skoda Octavia"),
    Stated("I bought a cargo bike.", "possession", "cargo bike"),
    Stated("My birthday is on 2 November.", "birthday", "2 November"),
    Stated("I'm 34 years old.", "age", "34"),
    # remember that
    Stated("Remember that my bins are collected on Fridays.", "", "collected on Fridays"),
    Stated(
        "Please remember that the spare key is with Mrs Okafor.", "", "spare key is with Mrs Okafor"
    ),
    Stated("Keep in mind that I only have a toaster oven.", "", "toaster oven"),
    # corrections
    Stated("Actually, I moved to Graz.", "home", "Graz"),
    Stated("No, it's Graz, not Linz. I live in Graz.", "home", "Graz"),
    Stated("Sorry, I meant I work at Contoso.", "employer", "Contoso"),
    # negation and end
    Stated("I no longer work at Acme.", "employer", "Acme", positive=False),
    Stated("I quit my job yesterday.", "employer", "job", positive=False),
    Stated("We broke up.", "partner", "broke up", positive=False),
    Stated("I sold my car.", "car", "car", positive=False),
    Stated("I've stopped drinking coffee.", "likes", "coffee", positive=False),
    Stated("I don't have a dog any more.", "pet", "dog", positive=False),
)

HARMLESS: tuple[str, ...] = (
    # questions
    "Where do I live?",
    "What is my name?",
    "Do I have any allergies?",
    "do you know if i work at acme",
    "Am I vegetarian?",
    "Isn't my sister in Bern?",
    "Should I move to Porto?",
    "Can I bring my dog on the train?",
    "Didn't I tell you that I moved to Graz?",
    "Do you remember where I work?",
    "How far is it from Linz to Graz?",
    "which language do people speak in andorra",
    "Would you say I'm a good cook?",
    "I live in Graz, right?",
    "Who said that I like olives?",
    # hypotheticals
    "If I lived in Paris, I would eat croissants every day.",
    "If I worked at Acme, what would I earn?",
    "Suppose I have two children and a dog.",
    "Imagine I'm a pirate from Tortuga.",
    "I wish I lived by the sea.",
    "I wish I had a dog.",
    "I might move to Berlin.",
    "Maybe I'll become a vegetarian.",
    "I'd love to live in Kyoto one day.",
    "I would work for NASA in a heartbeat.",
    "I'm thinking about getting a cat.",
    "Let's say my budget is 500 euros.",
    "What if I were allergic to wheat?",
    "Assume I have a Mac.",
    "I could be a dancer in another life.",
    "Perhaps I should switch to Vim.",
    "In a perfect world I have a house in Tuscany.",
    "I was going to buy a Tesla but didn't.",
    # jokes and sarcasm
    "I live on the moon, just kidding.",
    "My name is Batman. Just kidding!",
    "I'm the king of Norway, lol jk",
    "I love waiting at the dentist /s",
    "I eat only gravel. That was a joke.",
    "Yeah right, I have ten yachts.",
    # quotes, hearsay, role play, titles
    'He said "I live in Rome".',
    "She told me 'I work at Google' and laughed.",
    "The first line of the novel is “I am an invisible man.”",
    "> I live in Rome\n> and I have a dog",
    "```\nname = 'I live in Oslo'\nprint('my name is Bob')\n```",
    "Translate this into French: I live in a small house and I have two cats.",
    "Let's role-play. I'm a knight and I live in a castle.",
    "Pretend that my name is Zorro.",
    "My favourite line is 'I am your father'.",
    "I keep humming I Want to Break Free.",
    "According to the article, I should be asleep by ten.",
    "Write a story that begins: My name is Ishmael.",
    "From: bob@example.org\nSubject: Hello\n\nI live in Denver and I work at Initech.\n",
    "Please proofread the following: I am a student at Oxford.",
    "The character says: I have three brothers.",
    # third parties
    "Tom lives in Berlin.",
    "He works at Siemens.",
    "She has two cats.",
    "They moved to Canada last year.",
    "The president lives in the capital.",
    "People in Norway speak Norwegian.",
    "Marie Curie was a physicist.",
    "You are a helpful assistant.",
    "Your name is Claude.",
    "The company moved its office to Dublin.",
    "Vegetarians don't eat meat.",
    "Somebody is allergic to nuts in this film.",
    # requests
    "Tell me a riddle.",
    "Please summarise this page.",
    "Can you book a table for two?",
    "Write me a poem about my garden.",
    "Show me the weather in Graz.",
    "Help me with my homework.",
    "I need a recipe for pancakes.",
    "I want you to explain recursion.",
    "I'd like a list of museums in Vienna.",
    "Give me three ideas for a present.",
    "Make that table narrower.",
    "Go on.",
    "Next question.",
    "I'm looking for a good film.",
    "Let me know when you are done.",
    "I have a question.",
    "I have an idea.",
    "Use the second version.",
    # small talk
    "Hello!",
    "Good morning, how are you?",
    "I'm fine, thanks.",
    "I'm so tired today.",
    "I'm back.",
    "I'm sorry about that.",
    "Thanks, that helped a lot.",
    "What a rainy week.",
    "I see.",
    "I don't know.",
    "I think so.",
    "I'm not sure I understand.",
    "I love it!",
    "I like that.",
    "I agree with you.",
    "lol",
    "ok cool 👍",
    "I'm glad to hear that.",
    "I hope you are well.",
    "I can't believe it.",
    "I have no idea.",
    "Wow, I really like your answer.",
    # code
    "def home(self): return self.city",
    "SELECT name FROM users WHERE city = 'Graz';",
    "I get TypeError: my_name is not defined",
)
