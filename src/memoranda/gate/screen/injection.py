"""Wording of planted instructions: a flag for the reviewer, nothing more. Most attacks have none of it, and no rule set
finds them; origin and holding do the work. Nothing is accepted, held or refused for it.
"""

from __future__ import annotations

from memoranda.gate.screen.rule import Rule


def _flag(name: str, pattern: str, *anchors: str, before: int = 0, after: int = 120) -> Rule:
    return Rule(name, "injection", "injection", rf"(?i){pattern}", anchors, "word", 0, before, after)  # fmt: skip


INJECTION: tuple[Rule, ...] = (
    _flag("override", r"(?:ignore|disregard|forget|override|bypass|discard)\s(?:[\w'-]{1,20}\s){0,4}?(?:previous|prior|above|earlier|preceding|system|safety|all|your)\s(?:[\w'-]{1,20}\s){0,3}?(?:instructions?|prompts?|rules?|guidelines?|messages?|context|polic(?:y|ies)|directives?)",
          "ignore", "disregard", "forget", "override", "bypass", "discard"),
    _flag("new-role", r"(?:you are now|act as|pretend to be|from now on,? you|you must now)\s[\w'-]{2,30}", "you", "act", "pretend", "from"),
    _flag("secrecy", r"(?:do not|don't|never|without)\s(?:tell|inform|mention|reveal|notify|alert|warn|telling|informing|notifying|asking|showing)\s(?:this\s|it\s)?(?:to\s)?(?:the\s|your\s|any\s)?(?:user|owner|human|operator|anyone|admin)", "do", "don", "never", "without"),
    _flag("system-words", r"(?:system prompt|developer mode|jailbreak|\bDAN\b|hidden instructions?|confidential instructions?|new instructions?:)", "system", "developer", "jailbreak", "dan", "hidden", "confidential", "new"),
    _flag("exfiltration", r"(?:send|forward|post|upload|e-?mail|transmit|exfiltrate|leak|copy)\s(?:[\w'-]{1,20}\s){0,6}?(?:to|at)\s(?:https?://\S{3,200}|[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,20})", "send", "forward", "post", "upload", "email", "mail", "transmit", "exfiltrate", "leak", "copy"),
    _flag("tool-order", r"(?:call|invoke|execute|run|use)\sthe\s[\w.-]{2,40}\s(?:tool|function|command)\s(?:with|to|and)", "call", "invoke", "execute", "run", "use"),
    _flag("memory-order", r"(?:remember|memori[sz]e|store|save|note)\s(?:that\s)?(?:the\suser\s(?:always|prefers|wants|has approved|trusts)|you\s(?:must|should|are to)\s(?:always|never))", "remember", "memorize", "memorise", "store", "save", "note"),
    _flag("markup", r"(?:im_start|im_end|endoftext|INST|SYS)\|?[>\]]", "im", "endoftext", "inst", "sys"),
)  # fmt: skip
