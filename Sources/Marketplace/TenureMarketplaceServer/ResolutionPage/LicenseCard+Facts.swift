import TenureCore
import TenureMarketplace

extension LicenseCard {
    struct Fact: Sendable, Hashable {
        let name: String
        let value: Value

        enum Value: Sendable, Hashable {
            case time(Timestamp)
            case text(String)
        }

    }

    private func fact(_ name: ResolutionPageText, _ time: Timestamp) -> Fact {
        Fact(name: say(name), value: .time(time))
    }

    private func fact(_ name: ResolutionPageText, _ text: String) -> Fact {
        Fact(name: say(name), value: .text(text))
    }

    /// The facts on the card, in the order in which they're shown.
    var facts: [Fact] {
        var facts = [fact(.licensedSince, issuedAt)]
        if let renewedAt { facts.append(fact(.lastRenewed, renewedAt)) }
        if let failedAt { facts.append(fact(.renewalRefused, failedAt)) }
        for reason in reasons where reason.code != .appRenewalTooLate {
            facts += reason.evidence.compactMap(fact)
        }
        if let stoppedAt { facts.append(fact(status == .released ? .releasedAt : .stoppedAt, stoppedAt)) }
        // A suspended license may stop working before its end, so a future end isn't shown.
        if light != .over, status != .suspended || end.map({ $0 <= now }) ?? false {
            facts.append(end.map { fact($0 <= now ? .expiredAt : .expiresAt, $0) } ?? fact(.expiresAt, say(.never)))
        }
        return facts
    }

    /// The reasons other than the main one, each as a sentence.
    var others: [String] {
        reasons.dropFirst().map { reason in
            switch reason.code {
            case .deviceLimitReached: say(.otherLimit)
            case .appWithdrawn: say(.otherWithdrawn)
            case .appRenewalTooLate: say(.otherTooLate)
            case .appGrantExpired: say(.otherSubscription)
            case .appKeyMissing: say(.otherVendor)
            default: reason.message
            }
        }
    }

    private func fact(_ evidence: Reason.Evidence) -> Fact? {
        switch (evidence.name, evidence.value) {
        case ("expiredAt", .date(let time)): fact(.subscriptionEndedAt, time)
        case ("endedAt", .date(let time)): fact(.accessEndedAt, time)
        case ("devices", .number(let count)): fact(.otherDevices, String(count))
        case ("deviceLimit", .number(let count)): fact(.devicesAllowed, String(count))
        default: nil
        }
    }
}
