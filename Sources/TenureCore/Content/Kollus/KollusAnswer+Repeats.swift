extension ContentLicense {
    /// Whether its newest version would have ended later under the enrolment and the policy of now: the enrolment was
    /// extended, or the policy edited.
    func couldEndLater(under offers: [EnrolmentOffer], at now: Timestamp) -> Bool {
        guard let end = present.terms.expiresAt, let offer = offers.first(where: { $0.enrolment.id == enrolment }),
            offer.obstacle(at: now) == nil, let policy = offer.policy
        else { return false }
        let anew = ContentTerms(under: policy, until: offer.enrolment.endsAt, at: present.issuedAt)
        return anew.expiresAt.map { $0 > end } ?? true
    }
}

extension KollusAnswer {
    /// Whether a kept answer to the same question is repeated in the place of this one, which was decided now.
    ///
    /// The kept answer's end must be ahead. A check of one play, which has a `session_key`, then gets it again. Any other
    /// question may come again days later as a new one, so it gets the kept answer only if this one ends no later.
    /// - Parameter keptDate: The `expiration_date` of the kept answer, 0 for none; nil where it can't be told.
    public func isAnswered(byKept keptDate: Int64?, at now: Timestamp) -> Bool {
        guard let kept = keptDate.map(Self.end), kept > now.seconds else { return false }
        if let sessionKey, !sessionKey.isEmpty { return true }
        guard let limits else { return true }
        let end = Self.end(limits.expirationDate)
        return end <= kept || end - kept <= Self.resendSeconds
    }

    private static func end(_ date: Int64) -> Int64 { date == 0 ? .max : date }

    /// Within so many seconds a question that comes again is the same one, sent again: a new version would only use up
    /// a renewal.
    private static let resendSeconds: Int64 = 60
}
