import TenureClient

/// The texts about the license.
@MainActor
enum Wording {
    /// Returns the state in one line.
    static func headline(_ manager: LicenseManager) -> String {
        switch manager.state {
        case .trial(let days): "Trial: \(days) \(days == 1 ? "day" : "days") left."
        case .licensed: "Licensed" + (features(manager).isEmpty ? "." : " for \(features(manager)).")
        case .limited: "Reading mode: your license has expired."
        case .freeTier: "Free plan: up to \(Settings.freeNotes) notes."
        case .notDetermined, .expired: "No license at the moment."
        case .invalid: "Your license cannot be used."
        }
    }

    /// Returns every reason with its remedy.
    static func explanation(_ explanation: Explanation) -> String {
        explanation.reasons.map { reason in
            let remedy = remedy(reason).map { "\n  \($0)" } ?? ""
            return "  \(reason.message)\(remedy)\n    -> \(reason.cure)"
        }.joined(separator: "\n")
    }

    /// Returns the vendor's message about a reason, for example why the license is suspended; `nil` if the vendor wrote
    /// none.
    static func remedy(_ reason: Explanation.Reason) -> String? {
        reason.evidence["vendorReason"].map { "The vendor says: \($0)" }
    }

    /// Returns the numbered list of devices that use the license.
    static func devices(_ held: LicenseDevices) -> String {
        var lines = held.devices.enumerated().map { index, device in
            let name = device.name.isEmpty ? "(no name)" : device.name
            let system = [device.system, device.systemVersion].compactMap(\.self).joined(separator: " ")
            let facts = [name, system, device.isThisOne ? "this one" : ""]
            return "\(index + 1)  \(facts.filter { !$0.isEmpty }.joined(separator: ", "))"
        }
        if held.unlistedCount > 0 { lines.append("and \(held.unlistedCount) more") }
        if let limit = held.limit { lines.append("\(held.total) of \(limit) devices are activated.") }
        if let left = held.releasesLeft {
            lines.append("You may release \(left) more \(left == 1 ? "device" : "devices") this year.")
        }
        return lines.joined(separator: "\n")
    }

    private static func features(_ manager: LicenseManager) -> String {
        manager.entitlements.map { feature in feature.value.map { "\(feature.name) (\($0))" } ?? feature.name }
            .joined(separator: ", ")
    }
}
