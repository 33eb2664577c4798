import TenureContent
package import TenureCore

/// The most helpful action after a failure with a content item.
///
/// Apps show ``choices`` as buttons, with this one first.
public enum RecoveryOption: String, Sendable, Hashable, CaseIterable {
    /// Try the renewal or request again.
    ///
    /// The library also retries automatically once the network is back.
    case retry
    /// Download the media again, because they are missing or damaged.
    ///
    /// Never used for an ended license.
    case redownload
    /// Sign in again, because the holder's token has expired.
    case signIn
    /// Contact the vendor, because only the vendor can change the result.
    case support
    /// Correct the clock, or connect to the internet once.
    case setClock

    /// Chooses the most helpful option for reasons, most specific first; `retry` if no reason suggests another.
    ///
    /// A missing or damaged file takes precedence. Next comes a clock that was set back, because dates can't be checked
    /// until it is corrected. If the server stopped the license, the clock doesn't matter.
    package init(for reasons: [Reason], isMediaWhole: Bool) {
        let stops: [Reason.Kind] = [
            .contentLicenseDeleted, .contentLicenseRevoked, .contentLicenseExpired, .contentLicenseReturned,
            .deviceReleased,
        ]
        if !isMediaWhole {
            self = .redownload
        } else if reasons.contains(where: { $0.code == .contentClockSetBack }),
            !reasons.contains(where: { stops.contains($0.code) })
        {
            self = .setClock
        } else {
            self = reasons.lazy.compactMap(Self.option).first ?? .retry
        }
    }

    private static func option(for reason: Reason) -> RecoveryOption? {
        switch (reason.code, reason.help) {
        case (.signInNeeded, _), (Reason.Kind(told: "token_invalid"), _), (Reason.Kind(told: "token_expired"), _):
            .signIn
        case (.contentUnreached, _), (.ledgerUnwritable, _), (Reason.Kind(told: "try_again"), _),
            (Reason.Kind(told: "store_rewound"), _):
            .retry
        case (_, .connect), (_, .wait): .retry
        case (_, .setClock): .setClock
        case (_, .vendor), (_, .release): .support
        case (_, nil): nil
        }
    }
}

extension RecoveryOption {
    /// The message for the user, which explains the problem and this option.
    public func message(in language: ContentLanguage = .english) -> String { language.texts[self].message }

    /// The label of the button for this option.
    public func label(in language: ContentLanguage = .english) -> String { language.texts[self].label }
}

/// A button that an app shows after a failure with a content item.
public struct RecoveryChoice: Sendable, Hashable {
    /// The action that the app takes when the user taps the button.
    public let option: RecoveryOption
    /// Whether the action can solve the problem.
    ///
    /// Downloading again doesn't help if the file is intact: an ended license must be renewed instead.
    public let helps: Bool

    /// Creates a choice; by default, its action helps.
    public init(_ option: RecoveryOption, helps: Bool = true) {
        self.option = option
        self.helps = helps
    }

    /// The message for the user.
    ///
    /// If the choice doesn't help, the message says so.
    public func message(in language: ContentLanguage = .english) -> String {
        helps ? option.message(in: language) : language.texts.fileIsIntact
    }

    /// The label of the button, in the user's language.
    public func label(in language: ContentLanguage = .english) -> String { option.label(in: language) }
}

extension RecoveryOption {
    /// All buttons to show if this is the most helpful option, most helpful first.
    ///
    /// Retry, Re-download and Support are always included. Set the Clock or Sign In comes first if it helps.
    /// Re-download comes last if it doesn't help.
    public var choices: [RecoveryChoice] {
        let helpful = [self] + [.retry, .support].filter { $0 != self }
        return helpful.map { RecoveryChoice($0) }
            + (self == .redownload ? [] : [RecoveryChoice(.redownload, helps: false)])
    }
}

extension OfflineContent {
    /// The buttons to show for the item, most helpful first; empty if there is no problem.
    public var choices: [RecoveryChoice] { recovery?.choices ?? [] }
}

extension RenewalProgress {
    /// The buttons to show for the result, most helpful first; empty after a success.
    public var choices: [RecoveryChoice] { recovery?.choices ?? [] }
}

extension ContentRenewalError {
    /// The buttons to show for the error, most helpful first.
    public var choices: [RecoveryChoice] { recovery.choices }
}
