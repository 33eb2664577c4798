public import TenureCore

extension EventKind {
    /// A holder was enrolled, by the operator or at the first use of content with open access.
    public static let enrolmentAdded = EventKind(
        "enrolment.added", "A holder was enrolled.", facts: [.text("scope"), .dateOrNever("endsAt")],
        since: "0.1")
    /// An enrolment was paused, so that no licenses are issued or renewed until it is resumed.
    public static let enrolmentPaused = EventKind(
        "enrolment.paused", "An enrolment was paused.", since: "0.1")
    /// The pause of an enrolment ended, so that licenses can be issued and renewed again.
    public static let enrolmentResumed = EventKind(
        "enrolment.resumed", "A paused enrolment was resumed.", since: "0.1")
    /// An enrolment got a later end; the event contains the previous end and the new one.
    public static let enrolmentExtended = EventKind(
        "enrolment.extended", "An enrolment was extended.",
        facts: [.dateOrNever("previousEnd"), .dateOrNever("endsAt")], since: "0.1")
    /// An enrolment's dates or policy were edited.
    public static let enrolmentChanged = EventKind(
        "enrolment.changed", "The dates or the policy of an enrolment were changed.",
        facts: [
            .dateOrNever("startsAt").optional, .dateOrNever("endsAt").optional, .text("policy").optional,
        ], since: "0.1")
    /// An enrolment was ended for good; the fact `licenses` says what happened to its licenses.
    public static let enrolmentEnded = EventKind(
        "enrolment.ended", "An enrolment was ended.", facts: [.text("licenses")], since: "0.1")
    /// A device replaced another one that still counted towards the device limit.
    public static let deviceReplacedEarly = EventKind(
        "enrolment.device_replaced_early", "A device was admitted in place of a released device that still counted.",
        facts: [.dateOrNever("countsUntil")], since: "0.1")
    /// A content license was issued to a device.
    public static let contentLicensed = EventKind(
        "content.licensed", "A content license was issued to a device.", facts: ofLicense, since: "0.1")
    /// A content license got a new version; the event contains the version's number and end.
    public static let contentRenewed = EventKind(
        "content.renewed", "A content license was renewed with a new version.",
        facts: ofLicense + [.number("version"), .dateOrNever("expiresAt"), .text("ledger")], since: "0.1")
    /// A content license moved to another enrolment of its holder.
    public static let contentMoved = EventKind(
        "content.moved", "A content license was moved to another enrolment of its holder.",
        facts: ofLicense + [.text("previousEnrolment")], since: "0.1")
    /// The operator revoked a content license.
    public static let contentRevoked = EventKind(
        "content.revoked", "A content license was revoked.", facts: ofLicense + stop, since: "0.1")
    /// The operator ended a content license.
    public static let contentExpired = EventKind(
        "content.expired", "A content license was ended by the operator.", facts: ofLicense + stop, since: "0.1")
    /// The operator deleted a content item from a device.
    public static let contentDeleted = EventKind(
        "content.deleted", "A content item is to be deleted from a device.", facts: ofLicense + stop, since: "0.1")
    /// The operator reset a content license, so that a renewal is due.
    public static let contentReset = EventKind(
        "content.reset", "A content license was reset; the device must renew it.", facts: ofLicense + stop, since: "0.1"
    )
    /// A content license was returned, or its device was released.
    public static let contentReturned = EventKind(
        "content.returned", "A content license was returned, or its device was released.",
        facts: ofLicense + [.text("releasedBy"), .text("reference").optional], since: "0.1")
    /// A device reported more use of a content item than was granted.
    public static let contentOverused = EventKind(
        "content.overused", "A device used a content item more than its license grants.",
        facts: ofLicense + [.number("plays"), .number("playSeconds"), .number("version")], since: "0.1")
    /// A device reported plays that start in the future, so its clock was ahead.
    public static let playsDatedAhead = EventKind(
        "content.plays_dated_ahead", "A device reported plays that start in the future; they count from now.",
        facts: ofLicense + [.number("sessions"), .date("reportedStart")], since: "0.1")
    /// The server restored a version that it had lost, from a device's signed grant.
    public static let contentRecovered = EventKind(
        "content.recovered", "A version that the server had lost was restored from a device's signed grant.",
        facts: ofLicense + [.number("previousVersion"), .number("version")], since: "0.1")
    /// A device reported a download as complete.
    public static let contentDownloaded = EventKind(
        "content.downloaded", "A device finished downloading a content item.", facts: ofLicense, since: "0.1")
    /// A Kollus player's clock is off by more than five minutes; recorded once a day for each player.
    public static let playerClockWrong = EventKind(
        "content.player_clock_wrong", "The clock of a Kollus player differs from the server's by over five minutes.",
        facts: ofLicense + [.date("playerTime"), .date("serverTime")], since: "0.2")

    /// A one-time link to a holder's page was created.
    public static let holderLinkMade = EventKind(
        "holder.link_made", "A one-time link to a holder's content page was created.",
        facts: ofHolder + [.date("expiresAt")], since: "0.2")
    /// A holder opened the page with a one-time link.
    public static let holderSessionOpened = EventKind(
        "holder.session_opened", "A holder opened their content page with a one-time link.",
        facts: ofHolder + [.text("reference")], since: "0.2")
    /// A holder closed the page, which ended its session.
    public static let holderSessionClosed = EventKind(
        "holder.session_closed", "A holder closed their content page.",
        facts: ofHolder + [.text("reference")], since: "0.2")

    /// All kinds of events about content licenses, enrolments and holders' pages, for the list of event kinds.
    public static let content: [EventKind] = [
        .enrolmentAdded, .enrolmentPaused, .enrolmentResumed, .enrolmentExtended, .enrolmentChanged, .enrolmentEnded,
        .deviceReplacedEarly, .contentLicensed, .contentRenewed, .contentMoved, .contentRevoked, .contentExpired,
        .contentDeleted, .contentReset, .contentReturned, .contentOverused, .playsDatedAhead, .contentRecovered,
        .contentDownloaded, .playerClockWrong, .holderLinkMade, .holderSessionOpened, .holderSessionClosed,
    ]

    /// The facts of events about a holder.
    ///
    /// They contain a reference instead of the name, because an event can't be changed if the person asks to be
    /// forgotten.
    private static let ofHolder: [Fact] = [.text(Event.holderRefName)]

    private static let ofLicense: [Fact] = [.text("content"), .text("device")]

    private static let stop: [Fact] = [.text("previousState"), .text("reason").optional]
}
