"""The files of a subject: the six commands of the memory tool, their paths, versions and caps, and projects."""
