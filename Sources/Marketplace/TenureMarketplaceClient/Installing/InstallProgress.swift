/// The progress of an installation, as a single value for a progress bar.
public struct InstallProgress: Sendable, Hashable {
    /// A step of the installation, in the order of the cases.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        case asking, licensing, downloading, verifying, installing, done, failed

        /// Whether no other phase follows.
        public var isFinal: Bool { self == .done || self == .failed }
    }

    /// The step that the installation is in now.
    public private(set) var phase = Phase.asking
    /// Bytes downloaded so far; decreases if a download restarts.
    public private(set) var bytes: Int64 = 0
    /// The download's size in bytes; `nil` while unknown.
    public private(set) var total: Int64?
    /// How much of the whole installation is done, from 0 to 1.
    ///
    /// It never decreases, and is 1 only in `done`.
    public private(set) var fraction = 0.0
    /// The download rate in bytes per second, as a moving average; `nil` while unknown.
    public private(set) var rate: Double?
    /// Why the installation failed, in words for the user; `nil` unless it failed.
    public private(set) var failure: String?

    private var measured: (at: Duration, bytes: Int64)?

    /// Creates a value for an installation that is starting.
    public init() {}

    /// Records a measurement.
    ///
    /// Values that are negative or beyond the total are clamped. The phase never goes back, except that a download may
    /// restart after a verification.
    /// - Parameter now: A reading of a monotonic clock; only differences matter.
    public mutating func measure(_ next: Phase, bytes read: Int64, of whole: Int64?, at now: Duration) {
        guard !phase.isFinal, next != .failed else { return }
        if next.order >= phase.order || next == .downloading { phase = next }
        total = whole.flatMap { $0 > 0 ? $0 : nil } ?? total
        bytes = min(max(read, 0), total ?? .max)
        measureRate(at: now)
        if phase == .done {
            fraction = 1
            bytes = total ?? bytes
        } else if let total {
            // The last 1 % is reserved for the steps after the download.
            fraction = max(fraction, min(Double(bytes) / Double(total), 1) * 0.99)
        }
    }

    /// Ends the installation with a failure, unless it has already ended.
    public mutating func fail(_ sentence: String) {
        guard !phase.isFinal else { return }
        (phase, failure, rate) = (.failed, sentence, nil)
    }

    /// The remaining download time at the ``rate``, in whole seconds and at most a week; `nil` if unknown.
    public var timeLeft: Duration? {
        guard phase == .downloading, let total, let rate, rate >= 1 else { return nil }
        return .seconds(Int64(min((Double(total - bytes) / rate).rounded(.up), 604_800)))
    }

    /// Updates the rate as a moving average.
    ///
    /// A measurement that covers five seconds has a weight of one half, so the rate neither jumps nor lags for minutes.
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

    /// Compares the published values, but not the internal measurement.
    public static func == (one: InstallProgress, other: InstallProgress) -> Bool {
        one.phase == other.phase && one.bytes == other.bytes && one.total == other.total
            && one.fraction == other.fraction && one.rate == other.rate && one.failure == other.failure
    }

    /// Hashes the values that `==` compares.
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
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
