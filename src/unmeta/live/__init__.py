"""Tools that work inside the reader's process: which tensor is on meta, why, and no silent failure.

Nothing here needs more than the torch that is installed (2.1 or newer); every module imports it inside its
functions, so that importing the package stays light. No value of a tensor is printed or kept.
"""
