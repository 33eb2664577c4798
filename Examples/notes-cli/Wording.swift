import TenureClient

/// How Notes talks about its license.
@MainActor
enum Wording {
    /// The state in a line.
    static func headline(_ manager: LicenseManager) -> String {
        switch manager.state {
        case .trial(let days): "Trial: \(days) \(days == 1 ? "day" : "days") left."
        case .licensed: "Licensed" + (features(manager).isEmpty ? "." : " for \(features(manager)).")
        case .limited: "Reading mode: your license has expired."
        case .freeTier: "Free plan: up to \(Settings.freeNotes) notes."
        case .expired: "No license at the moment."
        case .invalid: "Your license cannot be used."
        }
    }

    /// Every reason, and what would help.
    static func explanation(_ explanation: Explanation) -> String {
        explanation.reasons.map { "  \($0.message)\n    -> \($0.cure)" }.joined(separator: "\n")
    }

    private static func features(_ manager: LicenseManager) -> String {
        manager.entitlements.map { feature in feature.value.map { "\(feature.name) (\($0))" } ?? feature.name }
            .joined(separator: ", ")
    }
}
