/// How far an install is: one value for a bar, whoever measures.
public struct InstallProgress: Sendable, Hashable {
    /// What is being done.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        case asking, licensing, downloading, verifying, installing, done, failed

        /// Whether nothing comes after it.
        public var isFinal: Bool { self == .done || self == .failed }
    }

    /// What is being done.
    public private(set) var phase = Phase.asking
    /// Bytes that are here; falls when a download begins anew.
    public private(set) var bytes: Int64 = 0
    /// Bytes that there will be; nil while nobody knows.
    public private(set) var total: Int64?
    /// How much of all of it is done, 0 to 1. It never falls; 1 is told with `done` alone.
    public private(set) var fraction = 0.0
    /// Bytes a second lately; nil before there is anything to tell.
    public private(set) var rate: Double?
    /// Why it failed, in words for a person.
    public private(set) var failure: String?

    private var measured: (at: Duration, bytes: Int64)?

    /// Begins.
    public init() {}

    /// Takes in a measurement. What is negative or beyond the total is brought within bounds; nothing goes back to an
    /// earlier phase but a download, which may begin anew after a verification.
    /// - Parameter now: A reading of a steady clock; only differences count.
    public mutating func measure(_ next: Phase, bytes read: Int64, of whole: Int64?, at now: Duration) {
        guard !phase.isFinal, next != .failed else { return }
        if next.place >= phase.place || next == .downloading { phase = next }
        total = whole.flatMap { $0 > 0 ? $0 : nil } ?? total
        bytes = min(max(read, 0), total ?? .max)
        measureRate(at: now)
        if phase == .done {
            fraction = 1
            bytes = total ?? bytes
        } else if let total {
            // The last hundredth is for what comes after the last byte.
            fraction = max(fraction, min(Double(bytes) / Double(total), 1) * 0.99)
        }
    }

    /// Ends with a failure, unless it ended before.
    public mutating func fail(_ sentence: String) {
        guard !phase.isFinal else { return }
        (phase, failure, rate) = (.failed, sentence, nil)
    }

    /// How long the download takes yet, at the rate of lately; nil when nobody can tell. Whole seconds, at most a week.
    public var timeLeft: Duration? {
        guard phase == .downloading, let total, let rate, rate >= 1 else { return nil }
        return .seconds(Int64(min((Double(total - bytes) / rate).rounded(.up), 604_800)))
    }

    /// Half of the rate comes from the last five seconds, so that it neither jumps nor lags for minutes.
    private mutating func measureRate(at now: Duration) {
        guard phase == .downloading else {
            (measured, rate) = (nil, nil)
            return
        }
        guard let last = measured, bytes >= last.bytes, now >= last.at else {
            (measured, rate) = ((now, bytes), nil)
            return
        }
        let seconds = (now - last.at) / .seconds(1)
        guard seconds >= 0.25 else { return }
        let latest = Double(bytes - last.bytes) / seconds
        let weight = 5 / (5 + seconds)
        rate = rate.map { $0 * weight + latest * (1 - weight) } ?? latest
        measured = (now, bytes)
    }

    /// Compares what is told; not what it was measured with.
    public static func == (one: InstallProgress, other: InstallProgress) -> Bool {
        one.phase == other.phase && one.bytes == other.bytes && one.total == other.total
            && one.fraction == other.fraction && one.rate == other.rate && one.failure == other.failure
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(phase)
        hasher.combine(bytes)
        hasher.combine(total)
        hasher.combine(fraction)
        hasher.combine(rate)
        hasher.combine(failure)
    }
}

extension InstallProgress.Phase {
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
