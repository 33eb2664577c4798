public import TenureCore

/// A device's trial of a product.
///
/// No device can replace the first recorded start; only the vendor can.
public struct Trial: Sendable, Hashable {
    /// The product and its tenant.
    public let product: ProductRef

    /// The hash that identifies the device.
    public let device: Digest

    /// When the trial began.
    public let start: Timestamp

    /// When the server recorded the trial.
    public let recordedAt: Timestamp

    /// How many days the vendor added to this trial.
    public internal(set) var extraDays: Int

    /// Creates a trial from its parts without checking any rule.
    public init(product: ProductRef, device: Digest, start: Timestamp, recordedAt: Timestamp, extraDays: Int = 0) {
        self.extraDays = extraDays
        self.product = product
        self.device = device
        self.start = start
        self.recordedAt = recordedAt
    }
}

extension Trial {
    /// How many days the trial lasts; 0 if the product has no trial.
    public func days(under product: Product) -> Int { product.trialDays > 0 ? product.trialDays + extraDays : 0 }

    /// The first second after the trial.
    public func end(under product: Product) -> Timestamp { start.adding(days: days(under: product)) }

    /// The most days that can be added to a trial: about a hundred years.
    package static let mostExtraDays = 36_500

    /// A device's trial and the changes to save.
    public struct Answer: Sendable, Hashable {
        /// The trial as it is after the changes.
        public let trial: Trial
        /// Whether the device had no trial before, so that this one has to be inserted.
        public let isNew: Bool
        /// The events to record; empty if nothing changes.
        public let events: [Event]

        /// Creates an answer with these values, which aren't checked.
        public init(trial: Trial, isNew: Bool, events: [Event]) {
            self.trial = trial
            self.isNew = isNew
            self.events = events
        }
    }
}

extension Product {
    /// Determines when the trial on a device began; a recorded start is never changed.
    ///
    /// A trial that has ended is returned as well: its start tells the device that it has ended. Refused if the product
    /// has no trial.
    ///
    /// - Parameters:
    ///   - existing: The device's recorded trial, if any.
    ///   - claimed: The start that the device reports if it was offline. A time in the future counts as now, and the
    ///     event records it if the device's clock was ahead by more than five minutes. A time longer ago than the
    ///     trial's length counts as exactly that long ago.
    public func startTrial(
        on device: Digest, existing: Trial?, claimed: Timestamp?, at now: Timestamp
    ) -> Decision<Trial.Answer> {
        guard trialDays > 0 else { return .refused(Refusal(.trialNotOffered)) }
        if let existing { return .granted(Trial.Answer(trial: existing, isNew: false, events: [])) }
        let start = min(now, max(claimed ?? now, now.adding(days: -trialDays)))
        let trial = Trial(product: ref, device: device, start: start, recordedAt: now)
        let ahead = claimed.flatMap {
            $0 > now.adding(seconds: 300) ? Reason.Evidence("reportedStart", .date($0)) : nil
        }
        let event = Event(
            .trialStarted, at: now, actor: .device, about: Event.Subject(ref),
            facts: [device.fact, .init("startedAt", .date(start)), .init("trialDays", .number(Int64(trialDays)))]
                + [ahead].compactMap(\.self))
        return .granted(Trial.Answer(trial: trial, isNew: true, events: [event]))
    }
}

extension Product {
    /// Adds days to a trial, counted from now if it has ended; refused if the product has no trial.
    ///
    /// The start doesn't change. The days that have passed since the end are added too, so that at least `days` are
    /// left. All added days together are limited to ``Trial/mostExtraDays``.
    public func extendTrial(
        _ trial: Trial, by days: Int, actor: Actor, at now: Timestamp
    ) -> Decision<Trial.Answer> {
        guard trialDays > 0 else { return .refused(Refusal(.trialNotOffered)) }
        let passed = max(0, trial.end(under: self).seconds(until: now))
        let missed = Int(passed / Timestamp.secondsPerDay) + (passed % Timestamp.secondsPerDay > 0 ? 1 : 0)
        var longer = trial
        longer.extraDays = min(trial.extraDays + missed + max(0, days), Trial.mostExtraDays)
        let event = Event(
            .trialExtended, at: now, actor: actor, about: Event.Subject(ref),
            facts: [
                trial.device.fact, .init("startedAt", .date(trial.start)),
                .init("extraDays", .number(Int64(longer.extraDays))),
                .init("endsAt", .date(longer.end(under: self))),
            ])
        return .granted(Trial.Answer(trial: longer, isNew: false, events: [event]))
    }
}

extension Product {
    /// Starts a trial again, as if the device were new; refused if the product has no trial.
    ///
    /// It begins now rather than with the device's next request, because a device reports the start that it has stored.
    /// Days that the vendor added before are lost.
    public func resetTrial(
        _ trial: Trial, because reason: StatedReason?, actor: Actor, at now: Timestamp
    ) -> Decision<Trial.Answer> {
        guard trialDays > 0 else { return .refused(Refusal(.trialNotOffered)) }
        let again = Trial(product: trial.product, device: trial.device, start: now, recordedAt: now)
        let event = Event(
            .trialReset, at: now, actor: actor, about: Event.Subject(ref),
            facts: [
                trial.device.fact, .init("startedAt", .date(now)), .init("formerStart", .date(trial.start)),
                .init("endsAt", .date(again.end(under: self))),
            ] + (reason?.facts ?? []))
        return .granted(Trial.Answer(trial: again, isNew: false, events: [event]))
    }
}

extension Trial {
    /// Compares this trial, from an old copy of the store, with a later state of it.
    ///
    /// Returns the names of the acts that made the later state more permissive; `nil` if this trial stays. The trial
    /// that ends later stays. Without this, days that the vendor added would be lost: an app whose trial is missing in
    /// the store starts it again. But a trial that the vendor has reset always replaces an earlier one.
    ///
    /// - Parameter events: The later store's events about this device's trial of the product.
    package func giving(_ later: Trial, after events: [Event]) -> [String]? {
        if later.start > start, events.contains(where: { $0.kind == .trialReset }) { return ["reset"] }
        guard later.start.adding(days: later.extraDays) > start.adding(days: extraDays) else { return nil }
        if later.start == start { return ["\(later.extraDays) extra days instead of \(extraDays)"] }
        return ["started again"]
    }
}

extension Digest {
    /// The fact that names a trial's device: the hash in hexadecimal digits.
    fileprivate var fact: Reason.Evidence {
        .init("device", .text(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()))
    }
}

extension EventKind {
    /// A trial began on a device.
    public static let trialStarted = EventKind(
        "trial.started", "A device started a trial of a product.",
        facts: [.text("device"), .date("startedAt"), .number("trialDays"), .date("reportedStart").optional],
        since: "0.1")

    /// The vendor gave a device's trial more days.
    public static let trialExtended = EventKind(
        "trial.extended", "The vendor gave a device's trial more days.",
        facts: [.text("device"), .date("startedAt"), .number("extraDays"), .date("endsAt")], since: "0.1")

    /// The vendor let a device have its trial again.
    public static let trialReset = EventKind(
        "trial.reset", "The vendor let a device have its trial again.",
        facts: [.text("device"), .date("startedAt"), .date("formerStart"), .date("endsAt")] + StatedReason.declared,
        since: "0.1")

    /// All kinds of events about trials.
    public static let trials: [EventKind] = [.trialStarted, .trialExtended, .trialReset]
}

extension Reason.Kind {
    /// The product has no trial.
    public static let trialNotOffered = Reason.Kind(
        "trial_not_offered", "This product has no trial.",
        cure: "Activate a license key. You can get one from the vendor.", since: "0.1")

    /// All kinds of reasons that only trials have.
    public static let trials: [Reason.Kind] = [.trialNotOffered]
}

extension Reason {
    /// The product has no trial.
    static let trialNotOffered = Reason(.trialNotOffered)
}

/// What a product offers a person without a license (the last rows of `Documentation/state-table.md`).
public enum KeylessStatus: Sendable, Hashable {
    /// The trial is running; `daysLeft` counts a started day as a whole, so it is at least 1.
    case trial(daysLeft: Int)
    /// The free plan: no trial is running, and the product has a free plan.
    case freeTier
    /// Nothing: the trial has ended or doesn't exist, and there is no free plan.
    case expired
}

extension Product {
    /// Determines what a person without a license may use.
    ///
    /// A trial is counted in whole days of 86,400 seconds from its start (Keylight's documentation). If the start lies
    /// in the future, no time has elapsed. A running trial takes precedence over the free plan.
    ///
    /// - Parameter trialStart: When the trial began; `nil` if it hasn't.
    public func keylessStanding(trialStart: Timestamp?, at now: Timestamp) -> KeylessStatus {
        if let trialStart, trialDays > 0 {
            let elapsed = max(0, trialStart.seconds(until: now)) / 86_400
            if elapsed < Int64(trialDays) { return .trial(daysLeft: trialDays - Int(elapsed)) }
        }
        return freeTier ? .freeTier : .expired
    }
}
