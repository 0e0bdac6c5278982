from __future__ import annotations

import pytest
from roundwatch.core.rounds import Doubt, FactValue, Note, NoteCode, Verdict
from roundwatch.core.texts.causes import CAUSES, cause

from tests.core.texts.ended import DE, EN, ended

V = Verdict


@pytest.mark.parametrize(
    ("verdict", "facts", "en", "de"),
    [
        (V.CANCELLED, {"by": "user", "text_kept": True}, "by the user. The text", "Vom Benutzer abgebrochen. Der bis"),
        (V.CANCELLED, {"by": "host", "text_kept": False}, "host shut down. There was no text", "Es lag noch kein Text"),
        (V.CANCELLED, {"by": "provider", "wire": "abort"}, 'provider. Reported: "abort".', "Gemeldet: „abort“."),
        (V.CANCELLED, {"by": "martians"}, "by whom is not recorded", "von wem, ist nicht vermerkt"),
        (
            V.SELECTION_UNRESOLVED,
            {"agent": "ghost", "available": ("a", "b"), "ran": False},
            'agent "ghost" is not among the available agents (a, b). No model and no tool ran.',
            "„ghost“ gehört nicht zu den verfügbaren Agenten (a, b). Weder ein Modell noch ein Werkzeug ist gelaufen.",
        ),
        (
            V.SELECTION_UNRESOLVED,
            {"agent": "ghost", "fallback_agent": "b", "ran": True},
            'available agents. Answered instead by "b".',
            "Geantwortet hat stattdessen „b“.",
        ),
        (V.SELECTION_UNRESOLVED, {"sentence": "not found"}, 'agents: "not found".', "Agenten: „not found“."),
        (
            V.SELECTION_UNRESOLVED,
            {"agent": "x", "available": tuple(f"a{n}" for n in range(15))},
            "a11 and 3 more)",
            "a11 und 3 weitere)",
        ),
        (V.NO_USABLE_MODEL, {"model": "m"}, 'requested was "m".', "angefordert war „m“."),
        (  # it may be the agent that could not be built: no word of a provider
            V.NO_USABLE_MODEL,
            {"agent": "a", "agent_exists": True, "cause": "no_factory"},
            'agent "a" exists but cannot be started: what it needs could not be set up here.',
            "gestartet werden: Was dafür nötig ist, ließ sich hier nicht einrichten.",
        ),
        (V.NO_USABLE_MODEL, {"reason": "no"}, "none was chosen. Reported reason", "es war keines ausgewählt."),
        (
            V.NO_USABLE_MODEL,
            {"agent": "critic", "agent_exists": True, "cause": "no_credential", "reason": "no key"},
            'agent "critic" exists but cannot be started: the credentials for it are missing',
            "Der Agent „critic“ ist vorhanden, kann aber nicht gestartet werden: Die Zugangsdaten fehlen",
        ),
        (V.PROVIDER_STALLED, {"silent_ms": 30_050.0}, "no more data for 30.1 s. The call was ended.", "30,1 s lang"),
        (V.RESPONSE_BODY_CUT, {"message": "reset"}, 'middle of the answer: "reset".', "der Antwort ab: „reset“."),
        (
            V.PROVIDER_ERROR,
            {"http_status": 403, "message": "Key limit"},
            'rejected the call with HTTP 403: "Key limit".',
            "hat den Aufruf mit HTTP 403 abgelehnt: „Key limit“.",
        ),
        (V.PROVIDER_ERROR, {"http_status": 1503.0}, "The provider reported an error.", "meldete einen Fehler."),
        (V.PROVIDER_ERROR, {"http_status": 503}, "answered with HTTP 503.", "antwortete mit HTTP 503."),
        (
            V.PROVIDER_ERROR,
            {"in_stream": True, "http_status": 200, "message": "m", "code": "c"},
            'in the middle of the answer: "m". Error code: "c".',
            "mitten in der Antwort einen Fehler: „m“. Fehlercode: „c“.",
        ),
        (V.PROVIDER_ERROR, {"wire": "error"}, 'Reported: "error".', "Gemeldet: „error“."),
        (V.FAULTED, {"message": "boom"}, 'broke off with an error: "boom".', "mit einem Fehler ab: „boom“."),
        (
            V.CONTENT_FILTERED,
            {"wire": "content_filter", "text_kept": True},
            'withheld the answer (reported: "content_filter"). The text',
            "zurückgehalten (gemeldet: „content_filter“). Der bis dahin empfangene Text ist erhalten.",
        ),
        (
            V.CONTENT_FILTERED,
            {"refused": True, "wire": "refusal"},
            "model refused",
            "Modell hat die Antwort verweigert",
        ),
        (V.CONTENT_FILTERED, {"prompt": True}, "blocked the request itself.", "schon die Anfrage gesperrt"),
        (V.CONTENT_FILTERED, {"wire": "x", "detail": "SPII"}, '"SPII"', "„SPII“"),
        (
            V.TURN_PAUSED,
            {"wire": "pause_turn"},
            '("pause_turn") and waits',
            "Vom Anbieter pausiert (gemeldet: „pause_turn“)",
        ),
        (
            V.STREAM_ENDED_WITHOUT_FINISH,
            {},
            "without the provider saying it was finished. Either the provider stalled or the connection dropped; "
            "the model did not choose to stop.",
            "ohne dass der Anbieter den Abschluss gemeldet hat. Entweder stockte der Anbieter, oder die Verbindung "
            "brach ab; das Modell hat nicht von sich aus aufgehört.",
        ),
        (V.STREAM_ENDED_WITHOUT_FINISH, {"done_marker": True}, "end marker did arrive", "Endemarke"),
        (V.STREAM_ENDED_WITHOUT_FINISH, {"open_call": True}, "last call was still open.", "letzter Aufruf noch lief."),
        (V.NO_OUTPUT, {}, "no text and no tool call.", "weder Text noch einen Werkzeugaufruf."),
        (V.NO_FINAL_ANSWER, {}, "wrote no closing answer.", "keine abschließende Antwort geschrieben."),
        (V.SUSPENDED, {"why": "rm"}, 'Waiting for an approval: "rm".', "Wartet auf eine Freigabe: „rm“."),
    ],
)
def test_the_cause_says_what_was_recorded(verdict: Verdict, facts: dict[str, FactValue], en: str, de: str) -> None:
    outcome = ended(verdict, facts)
    assert en in " ".join(cause(outcome, EN))
    assert de in " ".join(cause(outcome, DE))


def test_an_open_call_is_not_called_a_stall_or_a_drop() -> None:
    said = " ".join(cause(ended(V.STREAM_ENDED_WITHOUT_FINISH, {"open_call": True}), EN))
    assert "stalled" not in said


def test_nothing_ran_is_not_claimed_when_it_is_not_recorded() -> None:
    assert len(cause(ended(V.SELECTION_UNRESOLVED, {"agent": "x"}), EN)) == 1


def test_the_providers_closer_word_stands_once() -> None:
    note = Note(NoteCode.FILTER_DETAIL, {"detail": "SPII"})
    said = cause(ended(V.CONTENT_FILTERED, {"wire": "x", "detail": "SPII"}, notes=(note,)), EN)
    assert not any("SPII" in sentence for sentence in said)


def test_a_confirmed_answer_needs_no_cause_and_an_unconfirmed_one_has_its_doubts() -> None:
    assert cause(ended(V.COMPLETED), EN) == ()
    doubts = (Doubt.NO_CALLS_RECORDED, Doubt.FEED_GAP)
    assert cause(ended(V.COMPLETED, is_answer=False, doubts=doubts), DE) == (
        "Wahrscheinlich fertig, aber nicht bestätigt: keine Modellaufrufe aufgezeichnet; "
        "Lücke in den empfangenen Ereignissen dieser Runde.",
    )


def test_a_running_round_says_what_it_would_be() -> None:
    assert cause(ended(V.RUNNING), DE) == ("Läuft; Ausgang offen.",)
    provisional = ended(V.RUNNING, provisional=V.NO_OUTPUT, stalled_ms=12_000.0)
    assert cause(provisional, EN) == (
        "No output for 12.0 s.",
        "Running; how it ends is open.",
        "If it ended now: No output.",
    )
    assert "count as finished" in cause(ended(V.RUNNING, provisional=V.COMPLETED), EN)[-1]
    doubted = ended(V.RUNNING, provisional=V.COMPLETED, provisional_doubts=(Doubt.FINISH_REASON_NEVER_REPORTED,))
    assert cause(doubted, EN)[-1].startswith("If it ended now, it would count as probably finished, not confirmed: ")


def test_every_verdict_has_somebody_to_explain_it() -> None:
    assert set(CAUSES) | {V.COMPLETED, V.RUNNING, V.CONTENT_FILTERED} == set(V)
