"""The first filter: coarse words are shown without their letters, what attacks people is not shown at all."""

from services.runtime.language import Grade, find, mask


def tame(text: str) -> str | None:
    """The text as it may be shown, None if it may not."""
    found = find(text)
    if any(each.grade is Grade.GRAVE for each in found):
        return None
    return mask(text, found)
