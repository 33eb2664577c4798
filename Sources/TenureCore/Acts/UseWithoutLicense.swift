/// What a product offers a person who has no license (seed 004, "Resolution at launch", last three rows).
public enum KeylessStanding: Sendable, Hashable {
    /// The trial is running, with so many whole days left, at least one.
    case trial(daysLeft: Int)
    /// The free plan.
    case freeTier
    /// Nothing: the trial is over, or there is none.
    case expired
}

extension Product {
    /// Decides what a person without a license may use.
    ///
    /// A trial counts whole days of 86,400 s since its start (`spec/keylight.md` §1.4); one that starts in the future
    /// has not begun to elapse. The trial outranks the free tier, which outranks nothing.
    /// - Parameter trialStart: When this person's trial began; nil when it has not.
    public func keylessStanding(trialStart: Timestamp?, at now: Timestamp) -> KeylessStanding {
        if let trialStart, trialDays > 0 {
            let elapsed = max(0, trialStart.seconds(until: now)) / 86_400
            if elapsed < Int64(trialDays) { return .trial(daysLeft: trialDays - Int(elapsed)) }
        }
        return freeTier ? .freeTier : .expired
    }
}
