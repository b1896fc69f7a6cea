"""Where the guide is published. Knows no room, and every room may use it."""

SITE = "https://unmeta.github.io/unmeta/"


def entry_url(entry: str) -> str:
    """Permanent address of an entry; a former id has one as well."""
    return f"{SITE}e/{entry}/"
