"""Where files are: a folder that a person can open, or rows in the store. Both stand behind `ports.Tree`."""
