public import TenureCore

extension Reason.Kind {
    /// The operator deleted the license, so the device must delete the content, too.
    public static let contentLicenseDeleted = Reason.Kind(
        "content_license_deleted", "The vendor removed this content from this device.",
        cure: "Ask the vendor why. They can make it available again.",
        vendorCure: "`tenure content reset LICENSE` makes it available again.", since: "0.1")
    /// The operator revoked the content license.
    public static let contentLicenseRevoked = Reason.Kind(
        "content_license_revoked", "The license for this content has been revoked.",
        cure: "Ask the vendor why. A revoked license can't be restored, but a new enrolment is possible.",
        vendorCure:
            "It can't be restored. To let the person continue, enrol the person again with `tenure enrolment add`.",
        since: "0.1")
    /// The content license was returned.
    public static let contentLicenseReturned = Reason.Kind(
        "content_license_returned", "The license for this content has been returned.",
        cure: "Request the content again on this device.", since: "0.1")
    /// The operator ended the content license; only a reset makes it active again.
    public static let contentLicenseExpired = Reason.Kind(
        "content_license_expired", "The vendor ended the license for this content.",
        cure: "Ask the vendor to reset the license.", vendorCure: "`tenure content reset LICENSE` reopens it.",
        since: "0.1")
    /// The license ended because its device was released.
    public static let deviceReleased = Reason.Kind(
        "device_released", "This device has been released from the enrolment.",
        cure: "Request the content again on this device. If the device limit is reached, release another device first.",
        since: "0.1")
    /// The start date of the content license hasn't come yet.
    public static let grantNotStarted = Reason.Kind(
        "grant_not_started", "This content can't be played yet.", cure: "Wait until it becomes available.",
        facts: [.date("notBefore")], since: "0.1")
    /// The grant's end date has passed.
    public static let grantExpired = Reason.Kind(
        "grant_expired", "This content has expired.", cure: "Connect to the internet and renew it.",
        facts: [.date("expiredAt")], since: "0.1")
    /// The time allowed after the first play has passed.
    public static let playWindowOver = Reason.Kind(
        "play_window_over", "The time allowed after the first play has ended.",
        cure: "Connect to the internet and renew it.",
        facts: [.date("endedAt"), .text("onRenewal").optional], since: "0.1")
    /// All plays have been used.
    public static let playsUsedUp = Reason.Kind(
        "plays_used_up", "All plays of this content have been used.",
        cure: "Renew the content, or ask the vendor for more.",
        vendorCure: "`tenure content reset LICENSE` starts the count again.",
        facts: [.number("used"), .number("granted")], since: "0.1")
    /// All play time has been used.
    public static let playTimeUsedUp = Reason.Kind(
        "play_time_used_up", "All play time of this content has been used.",
        cure: "Renew the content, or ask the vendor for more.",
        vendorCure: "`tenure content reset LICENSE` starts the count again.",
        facts: [.number("usedSeconds"), .number("grantedSeconds")],
        since: "0.1")
    /// The device hasn't contacted the server in time.
    public static let checkInOverdue = Reason.Kind(
        "check_in_overdue", "This content must be checked with the server regularly, and the check is overdue.",
        cure: "Connect to the internet and renew it.", facts: [.date("checkInBy")], since: "0.1")
    /// A Kollus player reported the download as expired.
    public static let playerExpired = Reason.Kind(
        "player_expired", "The player reported that this download has expired.",
        cure: "Connect to the internet and renew it, or ask the vendor for more time.",
        vendorCure: "`tenure content reset LICENSE` gives it a new term.", facts: [.date("reportedAt")],
        since: "0.2")
    /// The content plays only while the device can reach the server.
    public static let onlineNeeded = Reason.Kind(
        "online_required", "This content plays only while you're connected to the internet.",
        cure: "Connect to the internet, then play it again.", facts: [.date("signedAt").optional], since: "0.1")
    /// The device's clock was set back, and the content has a date limit.
    public static let contentClockSetBack = Reason.Kind(
        "content_clock_set_back", "This device's clock was set back, so the content's dates can't be checked.",
        cure: "Correct the clock, or connect to the internet and check now.", facts: [.date("atLeast")], since: "0.1")

    /// The holder has no enrolment that covers the content.
    public static let enrolmentUnknown = Reason.Kind(
        "enrolment_unknown", "You don't have an enrolment that includes this content.",
        cure: "Enrol in a course that includes it.", since: "0.1")
    /// The enrolment is paused.
    public static let enrolmentPaused = Reason.Kind(
        "enrolment_paused", "The enrolment is paused. Content that is already on the device still plays.",
        cure: "Ask the vendor to resume it.", vendorCure: "Resume it with `tenure enrolment resume ENROLMENT`.",
        facts: [.text("enrolment")], since: "0.1")
    /// The enrolment was ended or has reached its end date.
    public static let enrolmentEnded = Reason.Kind(
        "enrolment_ended", "The enrolment has ended.", cure: "Ask the vendor to extend it, or enrol again.",
        vendorCure:
            "If its end date has passed, extend it with `tenure enrolment extend ENROLMENT`. Otherwise, enrol the person again with `tenure enrolment add`.",
        facts: [.text("enrolment"), .date("endedAt").optional], since: "0.1")
    /// The enrolment hasn't started.
    public static let enrolmentNotStarted = Reason.Kind(
        "enrolment_not_started", "The enrolment hasn't started yet.", cure: "Wait until it starts.",
        facts: [.text("enrolment"), .date("startsAt")], since: "0.1")
    /// The proposed end of an enrolment isn't later than both the current end and now.
    public static let extensionNotLater = Reason.Kind(
        "extension_not_later", "The new end date must be in the future and later than the current one.",
        cure: "Choose a later date. To end the enrolment earlier, use `tenure enrolment end` with `--at`.",
        facts: [.date("endsAt"), .date("proposedEnd")],
        since: "0.1")
    /// The enrolment has no end, so it can't be extended.
    public static let enrolmentNeverEnds = Reason.Kind(
        "enrolment_never_ends", "The enrolment never ends, so it can't be extended.",
        cure: "To give it an end, use `tenure enrolment end` with `--at`.", since: "0.1")
    /// The proposed earlier end of an enrolment isn't between the later of its start and now, and its current end.
    public static let endNotEarlier = Reason.Kind(
        "end_not_earlier", "The new end date must be in the future, after the start and earlier than the current end.",
        cure:
            "Choose another date. To end the enrolment now, use `tenure enrolment end` without `--at`; for a later end, use `tenure enrolment extend`.",
        facts: [.date("startsAt").optional, .date("endsAt").optional, .date("proposedEnd")], since: "0.1")
    /// The reference belongs to another enrolment.
    public static let referenceTaken = Reason.Kind(
        "reference_taken", "Another person's enrolment, or one for other content, already has this reference.",
        cure: "Choose another reference, or repeat the existing enrolment exactly.", facts: [.text("reference")],
        since: "0.1")
    /// The policy of the license doesn't allow renewals.
    public static let notRenewable = Reason.Kind(
        "not_renewable", "This content can't be renewed.", cure: "Ask the vendor whether you can get it again.",
        vendorCure: "`tenure content reset LICENSE` reopens it; renewals need another policy.", since: "0.1")
    /// The license has been renewed as often as allowed, or it ended longer ago than the policy allows for a renewal.
    public static let renewalOver = Reason.Kind(
        "renewal_over", "This content can no longer be renewed.", cure: "Ask the vendor whether you can get it again.",
        vendorCure: "`tenure content reset LICENSE` reopens it, with a new count of renewals.",
        facts: [
            .number("renewals").optional, .number("maxRenewals").optional, .date("expiredAt").optional,
            .date("renewUntil").optional,
        ], since: "0.1")
    /// The device named a version that the server doesn't have.
    public static let grantNeeded = Reason.Kind(
        "grant_needed", "The device has a newer version of this license than the server.",
        cure: "Send the signed grant of that version with the renewal.",
        facts: [.number("version"), .number("present")], since: "0.1")
    /// This holder and device have no content license with this id.
    public static let contentLicenseUnknown = Reason.Kind(
        "content_license_unknown", "There is no license with that id for you on this device.",
        cure: "Request the content again on this device.", since: "0.1")

    /// All kinds of reasons that only content licenses and enrolments have.
    ///
    /// The device limit and the limits on releases use kinds that are declared elsewhere.
    public static let content: [Reason.Kind] = [
        .contentLicenseDeleted, .contentLicenseRevoked, .contentLicenseReturned, .contentLicenseExpired,
        .deviceReleased, .grantNotStarted, .grantExpired, .playWindowOver, .playsUsedUp, .playTimeUsedUp,
        .checkInOverdue, .playerExpired, .onlineNeeded, .contentClockSetBack, .enrolmentUnknown, .enrolmentPaused,
        .enrolmentEnded,
        .enrolmentNotStarted, .extensionNotLater, .enrolmentNeverEnds, .endNotEarlier, .referenceTaken, .notRenewable,
        .renewalOver, .grantNeeded,
        .contentLicenseUnknown,
    ]
}

extension Reason {
    /// Why a stopped license gets no further grants.
    public static func contentStopped(_ stop: ContentLedger.Stop) -> Reason {
        switch stop {
        case .deleted: Reason(.contentLicenseDeleted)
        case .revoked: Reason(.contentLicenseRevoked)
        case .returned: Reason(.contentLicenseReturned)
        case .released: Reason(.deviceReleased)
        case .expired: Reason(.contentLicenseExpired)
        }
    }

    static func grantNotStarted(_ start: Timestamp) -> Reason {
        Reason(.grantNotStarted, evidence: [Evidence("notBefore", .date(start))], changesAt: start)
    }

    static func grantExpired(_ end: Timestamp) -> Reason {
        Reason(
            .grantExpired, message: "This content expired on \(end).",
            evidence: [Evidence("expiredAt", .date(end))])
    }

    /// Creates the reason for a play window that ended at this time.
    ///
    /// With `carry`, a renewal doesn't start the window again, so the reason names the vendor as the remedy.
    static func playWindowOver(_ end: Timestamp, under ledger: ContentTerms.Ledger) -> Reason {
        let end = Evidence("endedAt", .date(end))
        guard ledger == .carry else { return Reason(.playWindowOver, evidence: [end]) }
        return Reason(
            .playWindowOver, cure: "Ask the vendor: a renewal doesn't start this time again.",
            evidence: [end, Evidence("onRenewal", .text(ledger.rawValue))])
    }

    static func playsUsedUp(_ used: Int, of granted: Int) -> Reason {
        Reason(
            .playsUsedUp, message: "All plays of this content have been used (limit: \(granted)).",
            evidence: [Evidence("used", .number(Int64(used))), Evidence("granted", .number(Int64(granted)))])
    }

    static func playTimeUsedUp(_ used: Int64, of granted: Int64) -> Reason {
        Reason(
            .playTimeUsedUp, message: "All play time of this content has been used (limit: \(granted) seconds).",
            evidence: [Evidence("usedSeconds", .number(used)), Evidence("grantedSeconds", .number(granted))])
    }

    static func checkInOverdue(_ end: Timestamp) -> Reason {
        Reason(.checkInOverdue, evidence: [Evidence("checkInBy", .date(end))])
    }

    static func playerExpired(_ time: Timestamp) -> Reason {
        Reason(.playerExpired, evidence: [Evidence("reportedAt", .date(time))])
    }

    static func onlineNeeded(_ signed: Timestamp?) -> Reason {
        Reason(.onlineNeeded, evidence: signed.map { [Evidence("signedAt", .date($0))] } ?? [])
    }

    static func contentClockSetBack(atLeast time: Timestamp) -> Reason {
        Reason(.contentClockSetBack, evidence: [Evidence("atLeast", .date(time))])
    }
}
