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
    /// What to do about it, in one sentence; `nil` if nothing needs to be done.
    package let cure: String?
    /// The available actions, in display order.
    package let offers: [Offer]

    /// Derives the texts and actions from a state.
    package init(_ state: LicenseState, _ explanation: Explanation) {
        let codes = explanation.decided.map(\.code)
        title = Self.title(state, explanation.code)
        let lost = explanation.decided.dropFirst().filter { Self.lostRecord.contains($0.code) }
        message = ([explanation.decided[0]] + lost).map(\.message).joined(separator: " ")
        cure = state == .licensed ? nil : explanation.cure
        offers = Self.offers(state, Set(codes))
    }

    private static func title(_ state: LicenseState, _ code: Reason.Kind) -> String {
        switch state {
        case .notDetermined: "License"
        case .trial(daysLeft: 1): "Trial: 1 day left"
        case .trial(let days): "Trial: \(days) days left"
        case .licensed: "Licensed"
        case .limited: "License lapsed"
        case .freeTier: "Free plan"
        case .expired where code == .trialEnded: "Trial ended"
        case .expired where noLicense.contains(code): "No license"
        case .expired: "License expired"
        case .invalid where code == .clockSetBack: "Clock set back"
        case .invalid: "License not valid"
        }
    }

    private static func offers(_ state: LicenseState, _ codes: Set<Reason.Kind>) -> [Offer] {
        let isFirst = codes.contains(.trialNotStarted)
        switch state {
        case .notDetermined: return []
        case .trial: return [.activate]
        case .licensed: return [.deactivate]
        case .limited: return [.check, .activate, .deactivate]
        case .freeTier: return isFirst ? [.startTrial, .activate] : [.activate]
        case .expired where codes.contains(.productTermsUnknown):
            return (isFirst ? [.startTrial] : []) + [.activate, .check]
        case .expired where isFirst: return [.startTrial, .activate]
        case .expired: return noLicense.isDisjoint(with: codes) ? [.check, .activate] : [.activate]
        case .invalid: return [.check, .activate]
        }
    }

    private static let lostRecord: Set<Reason.Kind> = [.recordCorrupted, .recordForeign]

    private static let noLicense: Set<Reason.Kind> = [
        .trialEnded, .trialNotStarted, .trialNotOffered, .productTermsUnknown, .noFreeTier,
    ]
}
