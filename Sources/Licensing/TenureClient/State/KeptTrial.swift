package import TenureCore

/// The stored state of this device's trial.
package enum KeptTrial: Sendable, Hashable, Codable {
    case notStarted
    /// Started offline, with the length in days from the terms or the app's settings at that time.
    case local(start: DeviceTime, days: Int)
    /// Started and signed by the server, which stores only the first start of a device.
    case signed(start: Moment, days: Int)

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case notStarted = "notStarted"
        case local = "local"
        case signed = "signed"
    }

    private enum LocalCodingKeys: String, CodingKey {
        case start = "start"
        case days = "days"
    }

    private enum SignedCodingKeys: String, CodingKey {
        case start = "start"
        case days = "days"
    }

    /// When the trial started; `nil` if it hasn't.
    package var start: Moment? {
        switch self {
        case .notStarted: nil
        case .local(let start, _): Moment(start.time)
        case .signed(let start, _): start
        }
    }

    /// Corrects the start if the device wrote it; a signed start doesn't change.
    func corrected(by check: TimeCheck) -> KeptTrial {
        guard case .local(let start, let days) = self else { return self }
        return .local(start: start.corrected(by: check), days: days)
    }

    /// The start of a signed trial if it's running or, with `isRunning` false, if it has ended; otherwise `nil`.
    package func signedStart(isRunning: Bool, under terms: ProductTerms?, at now: Timestamp) -> Moment? {
        guard case .signed(let start, _) = self else { return nil }
        return (daysLeft(under: terms, at: now) > 0) == isRunning ? start : nil
    }

    /// The length of the trial in days.
    ///
    /// It is what the server signed for this device, or else what the product's terms say, or else what the app was
    /// built with.
    package func length(under terms: ProductTerms?) -> Int {
        switch self {
        case .notStarted: 0
        case .local(_, let days): terms?.trialDays ?? days
        case .signed(_, let days): days
        }
    }

    /// The first moment after the trial; `nil` if no trial was started or its length is 0.
    package func end(under terms: ProductTerms?) -> Timestamp? {
        let days = length(under: terms)
        guard let start, days > 0 else { return nil }
        return start.timestamp.adding(days: days)
    }

    /// The number of days left, counting a started day as a whole.
    ///
    /// It is the full length in the first 24 hours, 1 in the last 24 hours, and 0 after that or without a trial.
    package func daysLeft(under terms: ProductTerms?, at now: Timestamp) -> Int {
        guard let start, let end = end(under: terms), now < end else { return 0 }
        let elapsed = max(0, start.timestamp.seconds(until: now))
        return length(under: terms) - Int(elapsed / Self.day)
    }

    /// When the number of days left changes next; `nil` if it doesn't change any more.
    package func nextDay(under terms: ProductTerms?, at now: Timestamp) -> Timestamp? {
        let left = daysLeft(under: terms, at: now)
        guard left > 0, let end = end(under: terms) else { return nil }
        return end.adding(days: 1 - left)
    }

    private static let day: Int64 = 86_400
}
