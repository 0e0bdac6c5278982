"""What the demo's models write: short plausible prose about a small harbour's paperwork."""

from __future__ import annotations

BERTHS = (
    "The north quay has four berths and the south quay six. With the new draft limit of 9.5 metres, two of the six "
    "can no longer take the Wednesday bulk carrier, so I would move it to north 2 and give the tug its old slot. "
    "Nothing else in this week's plan has to change."
)
TARIFF = (
    "Tariff 7b applies: 0.42 EUR per tonne with a minimum of 118.00 EUR. For 261 tonnes that is 109.62 EUR, "
    "so the minimum decides and the invoice is 118.00 EUR. The surcharge for Sunday work does not apply, "
    "because the gangway was down before midnight."
)
TICKETS = (
    "Four tickets describe the same fault. In all of them the export was started twice within a minute, and the "
    "second run found the file of the first one locked. OPS-2213 has the cleanest log; I would keep that one and "
    "close the others as duplicates."
)
HANDBOOK = (
    "Chapter 3, Arrivals. A vessel announces herself twenty-four hours ahead, again six hours ahead, and a last "
    "time when she passes the outer buoy. Each announcement names her draught, her cargo and the berth she was "
    "promised. The duty officer answers the first one in writing, the second by radio, and the third by switching "
    "on the leading lights. If the draught grew between two announcements, the promise of a berth is void and"
)
SUMMARY = (
    "Revenue of the quarter rose by 4.1 percent, almost all of it from the two new ferry slots. Bulk went down for "
    "the third time in a row. The warehouse shows 37 calls that were invoiced late, most of them in the week of "
    "the strike."
)
REVIEW = (
    "One test fails: test_tariff_rounds_half_up. The tariff module rounds half to even since the change of "
    "Tuesday, the invoice module half up. I would go back to half up in both, because that is what the printed "
    "tariff says. Everything else in the branch looks ready."
)
PARTIAL = "The three candidates differ mostly in how they handle late arrivals. The first one keeps the"
LETTER = "Dear Ms. Harbour, thank you for your letter of 3 March. The crane was indeed out of order on"
RADIO = "Channel 12 stays the working channel of the north basin, and channel 14 that of the locks."
BEFORE_TOOL = "Let me look that up first."
THOUGHT = (
    "The user wants the plan for the week. The draft limit changed, so first find which berths are affected, then "
    "which ships of the plan are too deep for them, and only then propose a swap."
)
LONG_THOUGHT = (
    "Start with the oldest entry. It names berth south 4, but south 4 was closed that week. So either the date is "
    "wrong or the berth is. The pilot's log has south 5. The invoice has south 4 again. The invoice was written "
    "from the plan, not from the log, so the log should win. Check the next entry the same way before answering."
)
SURVEY = "I counted the bollards on the south quay from the survey of May: 22 in use, 3 marked for replacement."
AFTER_SURVEY = (
    "The surveyor counted 22 bollards in use and 3 to be replaced, so the load test can go ahead with the two "
    "bollards next to the crane left out."
)
SURVEY_THOUGHT = (
    "The list of the south quay should be in the folder of the quays. I need the bollards whose state is not in use, "
    "then the strength class of each from the survey of May. First the list."
)
SURVEY_DRAFT = "So far: the list of the south quay names two bollards, S03 and S05. I still have to check their class."
AFTER_REASONING = (
    "The surveyor did not finish in time. His notes only show that he had opened the list of the south quay; "
    "there is no result yet, so I would not order anything."
)
AFTER_TEXT = (
    "The surveyor did not finish. His unfinished draft names S03 and S05, unchecked. Please have somebody confirm "
    "both before you order."
)
AFTER_NOTHING = "The surveyor ran out of time before he had anything. I have no answer about the north quay."
RETRIED = "Yes: the pilot boat is free between 14:00 and 15:30, and the tide is high enough until a quarter past three."
REFUSAL = "I can't help with forging a customs seal."
MINUTES = (
    "Minutes, short form. Present: harbour master, two pilots, accounts. The ferry timetable was agreed. The crane "
    "is inspected on the 14th. Accounts asks for receipts within a week."
)
RECOVERED = (
    "The list was too long for one call, so I wrote it in two parts. Both files are in place: berths 1 to 5 in the "
    "first, 6 to 10 in the second."
)
