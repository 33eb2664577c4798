import TenureContent
import TenureCore

/// A provider whose license server can be used instead of Tenure's; none of them can express all limits.
enum ForeignTarget: String, Sendable, Hashable, CaseIterable {
    /// Kollus, whose player sends its requests to Tenure's callback.
    case kollus
    /// DoveRunner (PallyCon), which accepts a ``DoveRunnerToken``.
    case doverunner
    /// Axinom, which accepts an ``AxinomMessage``.
    case axinom

    /// The limits that this server can express, as member names of a grant.
    var expressed: Set<String> {
        switch self {
        case .kollus:
            ["expiresAt", "plays", "playSeconds", "checkInBy", "onlineRequired", "askBeforeRenew", "deviceLimit"]
        case .doverunner, .axinom: ["expiresAt", "windowAfterFirstPlay"]
        }
    }

    /// The limits of the terms, and the device limit, that this server can't express.
    ///
    /// Returns member names in the order of a grant, then `deviceLimit`.
    func notExpressed(_ terms: ContentTerms, deviceLimit: Int?) -> [String] {
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
