public import TenureCore

extension ContentLicense {
    /// Whether the newest version would end later if it had been issued, at the same time, under the current enrolment
    /// and policy.
    func couldEndLater(under offers: [Enrolment.Offer], at now: Timestamp) -> Bool {
        guard let end = present.terms.expiresAt, let offer = offers.first(where: { $0.enrolment.id == enrolment }),
            offer.obstacle(at: now) == nil, let policy = offer.policy
        else { return false }
        let anew = ContentTerms(under: policy, until: offer.enrolment.endsAt, at: present.issuedAt)
        return anew.expiresAt.map { $0 > end } ?? true
    }
}

extension KollusItem.Answer {
    /// Whether the stored response to the same request is sent again instead of this one, which was computed now.
    ///
    /// The stored response is never sent once its end has passed. A check with a `session_key` belongs to one play, so
    /// it gets the stored response. Any other request may recur days later with a new meaning. It gets the stored
    /// response only if this one ends at most ``resendSeconds`` later.
    ///
    /// - Parameter keptDate: The stored response's `expiration_date`, 0 for no limit; `nil` if it can't be determined.
    public func isAnswered(byKept keptDate: Int64?, at now: Timestamp) -> Bool {
        guard let keptUntil = keptDate.map(Self.end), keptUntil > now.seconds else { return false }
        if let sessionKey, !sessionKey.isEmpty { return true }
        guard let limits else { return true }
        let end = Self.end(limits.expirationDate)
        return end <= keptUntil || end - keptUntil <= Self.resendSeconds
    }

    private static func end(_ date: Int64) -> Int64 { date == 0 ? .max : date }

    /// How much later a new response must end to replace the stored one, in seconds.
    ///
    /// Within this time, the request was only sent again, and a new version would waste a renewal.
    private static let resendSeconds: Int64 = 60
}
