public import TenureCore

/// A license server of somebody else's, and which of our limits it cannot express.
public enum ForeignTarget: String, Sendable, Hashable, CaseIterable {
    /// Kollus, whose player asks Tenure by its callback.
    case kollus
    /// DoveRunner.
    case doverunner
    /// Axinom.
    case axinom

    /// The limits that it can express, as members of a grant.
    var expressed: Set<String> {
        switch self {
        case .kollus:
            ["expiresAt", "plays", "playSeconds", "checkInBy", "onlineRequired", "askBeforeRenew", "deviceLimit"]
        case .doverunner, .axinom: ["expiresAt", "windowAfterFirstPlay"]
        }
    }

    /// What terms and a device limit say that it cannot: names of members, in the order of a grant, then `deviceLimit`.
    public func notExpressed(_ terms: ContentTerms, deviceLimit: Int?) -> [String] {
        let said: [(member: String, isSaid: Bool)] = [
            ("notBefore", terms.notBefore != nil), ("expiresAt", terms.expiresAt != nil),
            ("windowAfterFirstPlay", terms.windowAfterFirstPlay != nil), ("plays", terms.plays != nil),
            ("playSeconds", terms.playSeconds != nil),
            ("countAfterSeconds", terms.plays != nil && terms.countAfterSeconds > 0),
            ("checkInBy", terms.checkInBy != nil), ("onlineRequired", terms.onlineRequired),
            ("askBeforeRenew", terms.askBeforeRenew),
            ("graceSeconds", terms.whenOver == .grace && terms.graceSeconds > 0),
            ("whenOver", terms.whenOver == .stop), ("deviceLimit", deviceLimit != nil),
        ]
        return said.filter { $0.isSaid && !expressed.contains($0.member) }.map(\.member)
    }
}
