import TenureClient
package import TenureCore
import TenureVault

extension Reason.Kind {
    /// The item has no license on this device.
    package static let contentNotKept = Reason.Kind(
        "content_not_kept", "This content is not kept on this device.", cure: "Add it while connected to the internet.",
        since: "0.1")
    /// The server couldn't be reached.
    package static let contentUnreached = Reason.Kind(
        "content_unreached", "The server could not be asked.", cure: "Check your network connection and try again.",
        facts: [.text("cause")], since: "0.1")
    /// The holder must sign in.
    package static let signInNeeded = Reason.Kind(
        "sign_in_needed", "Nobody is signed in on this device.", cure: "Sign in again.", since: "0.1")
    /// The signature of the stored grant doesn't verify.
    package static let grantUnproven = Reason.Kind(
        "grant_unproven", "The license that is kept here does not verify.",
        cure: "Connect to the internet and renew it.", since: "0.1")
    /// The media file is missing or damaged.
    package static let mediaMissing = Reason.Kind(
        "media_missing", "The downloaded file is missing or damaged.", cure: "Download the content again.",
        since: "0.1")
    /// The app ended the play.
    package static let playEnded = Reason.Kind(
        "play_ended", "This play was ended.", cure: "Play the content again.", since: "0.1")
    /// The ledger can't be written.
    package static let ledgerUnwritable = Reason.Kind(
        "ledger_unwritable", "The ledger of this device cannot be written.", cure: "Free some space and try again.",
        since: "0.1")
    /// Part of the ledger was lost.
    package static let ledgerDamaged = Reason.Kind(
        "ledger_damaged", "The ledger of this device was damaged.",
        cure: "Connect to the internet; what was granted and used is asked for again.", since: "0.1")
    /// The ledger is older than what the server received from it.
    package static let ledgerPutBack = Reason.Kind(
        "ledger_put_back", "The ledger of this device is older than what it reported.",
        cure: "Nothing has to be done; what the server knows was taken over.",
        facts: [.number("sequence"), .number("settled")], since: "0.1")

    /// The user must agree before the item is renewed.
    package static let renewalUnconfirmed = Reason.Kind(
        "renewal_unconfirmed", "This content is renewed only after you agree.", cure: "Agree to the renewal.",
        since: "0.1")

    /// The reasons that only this client reports.
    package static let contentClient: [Reason.Kind] = [
        .contentNotKept, .contentUnreached, .signInNeeded, .grantUnproven, .mediaMissing, .playEnded,
        .ledgerUnwritable, .ledgerDamaged, .ledgerPutBack, .renewalUnconfirmed,
    ]
}

extension Reason {
    /// Explains why the server couldn't be reached.
    static func unreached(_ unreached: Unreached) -> Reason {
        Reason(
            .contentUnreached, message: unreached.message,
            evidence: [Evidence("cause", .text(unreached.cause.rawValue))])
    }

    /// Explains why the ledger couldn't be written.
    static func unwritable(_ error: VaultError) -> Reason { Reason(.ledgerUnwritable, message: error.message) }
}

extension ToldReason {
    /// Converts a reason that this client reports.
    init(_ reason: Reason) {
        self.init(
            code: reason.code.text, message: reason.message, cure: reason.cure,
            changesAt: reason.changesAt.map(Moment.init), evidence: ToldReason.told(reason.evidence))
    }
}
