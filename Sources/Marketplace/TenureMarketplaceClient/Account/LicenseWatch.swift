public import TenureCore

/// Tracks which of an account's app licenses the marketplace app should renew.
///
/// Without this type, a device notices a changed license only when the system runs its daily check. Store one value per
/// account on disk and save it after each change. Use it in the app only, not in the extension.
public struct LicenseWatch: Sendable, Hashable, Codable {
    /// The position to continue from; send it as `since` in the next request.
    public private(set) var cursor = "0"
    /// Installed apps that the server listed and whose renewal hasn't been requested yet.
    private var waiting: Set<UInt64> = []
    private var askedAt: Int64?
    private var expiredAskedAt: [UInt64: Int64] = [:]
    private var pages = 0

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case cursor = "cursor"
        case waiting = "waiting"
        case askedAt = "askedAt"
        case expiredAskedAt = "expiredAskedAt"
        case pages = "pages"
    }

    /// Creates a watch for an account, starting with the account's first event.
    public init() {}

    /// Whether to query the server now.
    ///
    /// That is the case when the app starts, and a day after the last response.
    public func isDue(isStart: Bool, at now: Timestamp) -> Bool {
        guard !isStart, let askedAt else { return true }
        return !Self.isWithin(Self.day, since: askedAt, now)
    }

    /// The next step after a response.
    public enum Step: Sendable, Hashable {
        /// Query again at once with the new ``LicenseWatch/cursor``.
        case askAgain
        /// Pass these apps to `requestLicenseRenewal`, then call ``LicenseWatch/didRequest(_:)``.
        case renew([ItemID])
        /// Do nothing until ``LicenseWatch/isDue(isStart:at:)`` returns `true`.
        case done
    }

    /// Records a response and returns the next step.
    ///
    /// The cursor advances before any license is renewed. Until their renewal has been requested, the apps to renew are
    /// stored in this value, so no app is lost if the process is terminated. At most 100 pages are followed in a row,
    /// and only while the cursor advances.
    /// - Parameter installed: The apps on this device. The account's other apps are renewed by its other devices.
    public mutating func take(_ news: LicenseNews, installed: Set<ItemID>, at now: Timestamp) -> Step {
        let goesOn = news.cursor != cursor && (1...Self.longestCursor).contains(news.cursor.utf8.count)
        if goesOn { cursor = news.cursor }
        askedAt = now.seconds
        pages += 1
        // Renewing a license that ended long ago rarely helps and may show a prompt, so it is requested once a week at
        // most.
        expiredAskedAt = expiredAskedAt.filter { Self.isWithin(Self.week, since: $0.value, now) }
        let again = news.expired.filter { expiredAskedAt[$0.number] == nil }
        waiting.formUnion(news.renew.union(again).intersection(installed).map(\.number))
        waiting.formIntersection(installed.map(\.number))
        for item in again.intersection(installed) { expiredAskedAt[item.number] = now.seconds }
        if news.hasMore, goesOn, pages < Self.mostPages { return .askAgain }
        pages = 0
        return next
    }

    /// The next step from earlier responses; use it if the server can't be reached.
    public var next: Step {
        waiting.isEmpty
            ? .done : .renew(waiting.sorted().prefix(Self.mostAtOnce).compactMap { ItemID(number: $0) })
    }

    /// Records that the system was asked to renew the licenses of these apps, and returns the next step.
    ///
    /// The server's next response shows whether the renewals worked.
    public mutating func didRequest(_ items: [ItemID]) -> Step {
        waiting.subtract(items.map(\.number))
        return next
    }

    private static func isWithin(_ seconds: Int64, since then: Int64, _ now: Timestamp) -> Bool {
        let then = Timestamp(seconds: then)
        return then <= now && then.seconds(until: now) < seconds
    }

    private static let day: Int64 = 86_400
    private static let week: Int64 = 7 * 86_400
    private static let mostPages = 100
    private static let mostAtOnce = 200
    private static let longestCursor = 256
}
