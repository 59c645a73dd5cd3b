"""Links are not for chat: they lead people to sites that nobody has looked at."""

import re

_LINK = re.compile(
    r"[a-z][a-z0-9+.-]*://"
    r"|\bwww\."
    r"|\b[a-z0-9-]+\.(?:com|net|org|info|biz|xyz|online|site|club|link|app|shop|eu|ru|gg|ly)\b"
    # Endings that are also words: only with a path behind, since people forget the space after a full stop.
    r"|\b[a-z0-9-]+\.(?:it|io|me|to|tv|co|de|fr|es|uk|be|ai)/",
    re.IGNORECASE,
)


def has_link(text: str) -> bool:
    """Whether the text holds an address of the web."""
    return _LINK.search(text) is not None
