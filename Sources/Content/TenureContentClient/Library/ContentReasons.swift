import TenureClient
package import TenureCore
import TenureVault

extension Reason.Kind {
    /// The item has no license on this device.
    package static let contentNotKept = Reason.Kind(
        "content_not_kept", "This content isn't on this device.", cure: "Connect to the internet and add it.",
        since: "0.1")
    /// The server couldn't be reached.
    package static let contentUnreached = Reason.Kind(
        "content_unreached", "The server couldn't be reached.", cure: "Check your network connection and try again.",
        facts: [.text("cause")], since: "0.1")
    /// The holder must sign in.
    package static let signInNeeded = Reason.Kind(
        "sign_in_needed", "You aren't signed in on this device.", cure: "Sign in again.", since: "0.1")
    /// The signature of the stored grant doesn't verify.
    package static let grantUnproven = Reason.Kind(
        "grant_unproven", "The license stored on this device can't be verified.",
        cure: "Connect to the internet and renew it.", since: "0.1")
    /// The media file is missing or damaged.
    package static let mediaMissing = Reason.Kind(
        "media_missing", "The downloaded file is missing or damaged.", cure: "Download the content again.",
        since: "0.1")
    /// The app ended the play.
    package static let playEnded = Reason.Kind(
        "play_ended", "Playback has ended.", cure: "Play the content again.", since: "0.1")
    /// The ledger can't be written, for example because the disk is full.
    package static let ledgerUnwritable = Reason.Kind(
        "ledger_unwritable", "The usage record on this device can't be saved.", cure: "Free some space and try again.",
        since: "0.1")
    /// Part of the ledger was damaged, so that some state was lost.
    package static let ledgerDamaged = Reason.Kind(
        "ledger_damaged", "The usage record on this device is damaged.",
        cure: "Connect to the internet. The app then fetches your licenses and usage again.", since: "0.1")
    /// The ledger is older than what the server has already received from it.
    package static let ledgerPutBack = Reason.Kind(
        "ledger_put_back", "The usage record on this device is older than what it has already reported.",
        cure: "No action is needed. The server's record is used instead.",
        facts: [.number("sequence"), .number("settled")], since: "0.1")

    /// The item wasn't renewed, because the user must agree first.
    package static let renewalUnconfirmed = Reason.Kind(
        "renewal_unconfirmed", "This content is renewed only if you agree.", cure: "Confirm the renewal.",
        since: "0.1")

    /// The reasons that only this client reports.
    package static let contentClient: [Reason.Kind] = [
        .contentNotKept, .contentUnreached, .signInNeeded, .grantUnproven, .mediaMissing, .playEnded,
        .ledgerUnwritable, .ledgerDamaged, .ledgerPutBack, .renewalUnconfirmed,
    ]
}

extension Reason {
    /// Creates the reason that explains why the server couldn't be reached.
    static func unreached(_ unreached: RequestFailure) -> Reason {
        Reason(
            .contentUnreached, message: unreached.message,
            evidence: [Evidence("cause", .text(unreached.cause.rawValue))])
    }

    /// Creates the reason that explains why the ledger couldn't be written.
    static func unwritable(_ error: VaultError) -> Reason { Reason(.ledgerUnwritable, message: error.message) }
}

extension ToldReason {
    /// Converts a reason of this client to the form in which the ledger stores reasons.
    init(_ reason: Reason) {
        self.init(
            code: reason.code.text, message: reason.message, cure: reason.cure,
            changesAt: reason.changesAt.map(Moment.init), evidence: ToldReason.cleaned(reason.evidence))
    }
}
