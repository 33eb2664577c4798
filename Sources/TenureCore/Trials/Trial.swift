/// When a device began to try a product. The first start of a device counts and is never replaced.
public struct Trial: Sendable, Hashable {
    /// What is tried.
    public let product: ProductRef

    /// The device, by the 32 bytes of its hash.
    public let device: Digest

    /// When it began.
    public let start: Timestamp

    /// When the server was told.
    public let recordedAt: Timestamp

    /// Puts a trial together. It decides nothing.
    public init(product: ProductRef, device: Digest, start: Timestamp, recordedAt: Timestamp) {
        self.product = product
        self.device = device
        self.start = start
        self.recordedAt = recordedAt
    }
}

/// A trial that may be told to a device, and what is to be saved of it.
public struct TrialAnswer: Sendable, Hashable {
    /// When it began.
    public let trial: Trial
    /// Whether it began just now, so that it has to be saved.
    public let isNew: Bool
    /// What is to be recorded.
    public let events: [Event]

    /// Puts an answer together. It decides nothing.
    public init(trial: Trial, isNew: Bool, events: [Event]) {
        self.trial = trial
        self.isNew = isNew
        self.events = events
    }
}

extension Product {
    /// Decides when a device's trial began: at its first start, whatever it says later.
    ///
    /// A trial that ended is granted too: its start tells the device that it is over. Refused where the product has no
    /// trial.
    /// - Parameters:
    ///   - known: The trial of this device, if there is one.
    ///   - claimed: When the device says that it began offline. What is yet to come, or longer ago than a trial lasts, is
    ///     brought to the nearest moment that can be.
    public func startTrial(
        on device: Digest, known: Trial?, claimed: Timestamp?, at now: Timestamp
    ) -> Decision<TrialAnswer> {
        guard trialDays > 0 else { return .refused(Refusal(.trialNotOffered)) }
        if let known { return .granted(TrialAnswer(trial: known, isNew: false, events: [])) }
        let start = min(now, max(claimed ?? now, now.adding(days: -trialDays)))
        let trial = Trial(product: ref, device: device, start: start, recordedAt: now)
        let event = Event(
            .trialStarted, at: now, actor: .device, about: Event.Subject(ref),
            facts: [.init("startedAt", .date(start)), .init("trialDays", .number(Int64(trialDays)))])
        return .granted(TrialAnswer(trial: trial, isNew: true, events: [event]))
    }
}

extension EventKind {
    /// A device began to try a product.
    public static let trialStarted = EventKind(
        "trial.started", "A device began to try a product.", facts: [.date("startedAt"), .number("trialDays")],
        since: "0.1")

    /// The kinds of this family.
    public static let trials: [EventKind] = [.trialStarted]
}

extension Reason.Kind {
    /// The product has no trial.
    public static let trialNotOffered = Reason.Kind(
        "trial_not_offered", "There is no trial of this product.",
        cure: "Activate a license key; the vendor sells them.", since: "0.1")

    /// The kinds of this family.
    public static let trials: [Reason.Kind] = [.trialNotOffered]
}

extension Reason {
    /// The product has no trial.
    static let trialNotOffered = Reason(.trialNotOffered)
}

/// What a product offers a person who has no license (the last rows of `Documentation/state-table.md`).
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
