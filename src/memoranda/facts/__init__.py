"""Facts: the long-term table. Written through the gate, read by recall, taken back by a person."""
