"""Points in time as a viewer reads them: local, in the viewer's language."""

from __future__ import annotations

from datetime import date, datetime, tzinfo

from .texts import Texts


def clock_time(moment: datetime, zone: tzinfo | None = None) -> str:
    """Return the time of day, ``14:03:22``, the same in both languages.

    Args:
        moment: with a time zone.
        zone: the viewer's; None = the machine's own.
    """
    return local(moment, zone).strftime("%H:%M:%S")


def zone_name(moment: datetime, zone: tzinfo | None = None) -> str:
    """Return the short name of the viewer's zone at ``moment``: ``CEST``."""
    return local(moment, zone).tzname() or ""


def date_and_time(moment: datetime, texts: Texts, zone: tzinfo | None = None) -> str:
    """Return date and time of day: ``Nov 30, 2026 14:03:22``, ``30.11.2026 14:03:22``."""
    return f"{day_text(local(moment, zone).date(), texts)} {clock_time(moment, zone)}"


def day_text(day: date, texts: Texts) -> str:
    """Return a day: ``Nov 30, 2026``, ``30.11.2026``."""
    from babel.dates import format_date

    return format_date(day, format="medium", locale=texts.locale)


def local(moment: datetime, zone: tzinfo | None) -> datetime:
    """Return ``moment`` in the viewer's zone; in its own where the calendar ends."""
    try:
        return moment.astimezone(zone)
    except (OverflowError, OSError, ValueError):
        return moment
