"""A static look at Python code for what goes wrong on the meta device. Standard library only; runs nothing.

`unmeta.scan.read.findings(source)` is pure: the text of one file to findings. Each finding names the cause
whose entry explains it, and the rules are held to the entries: they fire on what fails and not on what is
repaired.
"""
