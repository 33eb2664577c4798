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
    /// until it is corrected.
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
