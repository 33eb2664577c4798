import TenureCore
import TenureLicensing

/// The texts and actions that a view shows for a state.
package struct StatusCard: Sendable, Hashable {
    /// An action that the user can take.
    package enum Offer: Sendable, Hashable, CaseIterable {
        case startTrial
        /// Activate a license key, which the user types.
        case activate
        /// Check with the server now.
        case check
        /// Deactivate the license on this device.
        case deactivate
    }

    /// The state in a few words.
    package let title: String
    /// What happened, in one sentence; followed by another one if an earlier record was lost.
    package let message: String
    /// The remedy, in one sentence; `nil` if nothing needs to be done.
    package let cure: String?
    /// The available actions, in display order.
    package let offers: [Offer]
    private let texts: [String: String]

    /// Derives the texts and actions from a state.
    package init(_ state: LicenseState, _ explanation: Explanation) {
        let codes = explanation.decided.map(\.code)
        texts = explanation.style.language.viewTexts
        title = (texts[Self.title(state, explanation.code)] ?? "").replacing(
            "{days}", with: state.days.map(String.init) ?? "")
        let lost = explanation.decided.dropFirst().filter { Self.lostRecord.contains($0.code) }
        message = explanation.style.language.row(([explanation.decided[0]] + lost).map(explanation.style.message))
        cure = state == .licensed ? nil : explanation.cure
        offers = Self.offers(state, Set(codes))
    }

    /// The label of an action's button.
    package func label(of offer: Offer) -> String { texts["\(offer)"] ?? "" }

    /// The label of the field for a license key.
    package var keyLabel: String { texts["key"] ?? "" }

    /// The name of the title in ``english`` and its translations.
    private static func title(_ state: LicenseState, _ code: Reason.Kind) -> String {
        switch state {
        case .notDetermined: "notDetermined"
        case .trial(daysLeft: 1): "trial.one"
        case .trial: "trial"
        case .licensed: "licensed"
        case .limited: "limited"
        case .freeTier: "freeTier"
        case .expired where code == .trialEnded: "trialEnded"
        case .expired where noLicense.contains(code): "noLicense"
        case .expired: "expired"
        case .invalid where code == .clockSetBack: "clockSetBack"
        case .invalid: "invalid"
        }
    }

    /// The titles of states and the labels of actions.
    static let english: [String: String] = [
        "notDetermined": "License", "trial.one": "Trial: 1 day left", "trial": "Trial: {days} days left",
        "licensed": "Licensed", "limited": "License lapsed", "freeTier": "Free plan", "trialEnded": "Trial ended",
        "noLicense": "No license", "expired": "License expired", "clockSetBack": "Clock set back",
        "invalid": "License not valid", "startTrial": "Start trial", "check": "Check now",
        "deactivate": "Deactivate on this device", "key": "License key", "activate": "Activate",
    ]

    private static func offers(_ state: LicenseState, _ codes: Set<Reason.Kind>) -> [Offer] {
        let isFirst = codes.contains(.trialNotStarted)
        switch state {
        case .notDetermined: return []
        case .trial: return [.activate]
        case .licensed: return [.deactivate]
        case .limited: return [.check, .activate, .deactivate]
        case .freeTier: return isFirst ? [.startTrial, .activate] : [.activate]
        case .expired where !codes.isDisjoint(with: [.productTermsUnknown, .notConnectedYet]):
            return (isFirst ? [.startTrial] : []) + [.activate, .check]
        case .expired where isFirst: return [.startTrial, .activate]
        case .expired: return noLicense.isDisjoint(with: codes) ? [.check, .activate] : [.activate]
        case .invalid: return [.check, .activate]
        }
    }

    private static let lostRecord: Set<Reason.Kind> = [.recordCorrupted, .recordForeign]

    private static let noLicense: Set<Reason.Kind> = [
        .trialEnded, .trialNotStarted, .trialNotOffered, .productTermsUnknown, .notConnectedYet, .noFreeTier,
    ]
}

extension LicenseState {
    /// The days that are left of a trial; `nil` in any other state.
    fileprivate var days: Int? {
        if case .trial(let days) = self { days } else { nil }
    }
}
