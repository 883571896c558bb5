"""The facts: a table of small, sourced, dated sentences. Flows over the ports, and the rules they follow."""
