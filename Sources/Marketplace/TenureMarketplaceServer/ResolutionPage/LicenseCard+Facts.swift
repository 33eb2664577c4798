import TenureCore
import TenureMarketplace

extension LicenseCard {
    struct Fact: Sendable, Hashable {
        let name: String
        let value: Value

        enum Value: Sendable, Hashable {
            case moment(Timestamp)
            case text(String)
        }

        init(_ name: String, _ moment: Timestamp) {
            self.name = name
            value = .moment(moment)
        }

        init(_ name: String, _ text: String) {
            self.name = name
            value = .text(text)
        }
    }

    /// The facts on the card, from the issue of the license to its expiry.
    var facts: [Fact] {
        var facts = [Fact("Licensed since", issuedAt)]
        if let renewedAt { facts.append(Fact("Last renewed", renewedAt)) }
        if let failedAt { facts.append(Fact("Renewal refused", failedAt)) }
        for reason in reasons where reason.code != .appRenewalTooLate {
            facts += reason.evidence.compactMap(Self.fact)
        }
        if let stoppedAt { facts.append(Fact(standing == .released ? "Released" : "Stopped", stoppedAt)) }
        if light != .over {
            facts.append(
                end.map { Fact($0 <= now ? "Expired" : "Expires", $0) } ?? Fact("Expires", "never"))
        }
        return facts
    }

    /// The reasons other than the main one, each as a sentence.
    var others: [String] {
        reasons.dropFirst().map { reason in
            switch reason.code {
            case .deviceLimitReached: "The app is also on the maximum number of other devices."
            case .appWithdrawn: "The app has also been withdrawn."
            case .appRenewalTooLate: "The license also expired too long ago to be renewed."
            case .appGrantExpired: "Your subscription has also ended."
            case .appKeyMissing: "There is also a problem on the vendor’s side."
            default: reason.message
            }
        }
    }

    private static func fact(_ evidence: Reason.Evidence) -> Fact? {
        switch (evidence.name, evidence.value) {
        case ("expiredAt", .date(let moment)): Fact("Subscription ended", moment)
        case ("endedAt", .date(let moment)): Fact("Access ended", moment)
        case ("devices", .number(let count)): Fact("Other devices", String(count))
        case ("deviceLimit", .number(let count)): Fact("Devices allowed", String(count))
        default: nil
        }
    }
}
