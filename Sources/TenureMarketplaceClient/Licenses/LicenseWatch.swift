public import TenureCore

/// Watches one account's licenses from the marketplace app, for nothing else reaches a device before its daily job does.
///
/// Keep it on disk for each account, saved after each change; the extension has no part in it.
public struct LicenseWatch: Sendable, Hashable, Codable {
    /// Where the server goes on; sent as `since`.
    public private(set) var cursor = "0"
    /// Apps that the server named, that are installed, and whose renewal was not asked for yet.
    private var waiting: Set<UInt64> = []
    private var askedAt: Int64?
    private var expiredAskedAt: [UInt64: Int64] = [:]
    private var pages = 0

    /// Has asked nothing.
    public init() {}

    /// Whether to ask the server: when the app starts, and a day after the last answer.
    public func isDue(isStart: Bool, at now: Timestamp) -> Bool {
        guard !isStart, let askedAt else { return true }
        return !Self.isWithin(Self.day, since: askedAt, now)
    }

    /// What to do after an answer.
    public enum Step: Sendable, Hashable {
        /// Ask again at once, with the new ``LicenseWatch/cursor``.
        case askAgain
        /// Hand these apps to `requestLicenseRenewal`, then say ``LicenseWatch/didRequest(_:)``.
        case renew([AppleItemID])
        /// Nothing until it is due again.
        case done
    }

    /// Takes in an answer.
    ///
    /// The cursor goes on although nothing was renewed yet: what is to be renewed is kept here until that was asked for, so
    /// an app that is ended in between loses none. At most 100 answers are followed at once, and none that does not go on.
    /// - Parameter installed: The apps that are on this device; the account's others are for its other devices.
    public mutating func take(_ news: LicenseNews, installed: Set<AppleItemID>, at now: Timestamp) -> Step {
        let goesOn = news.cursor != cursor && (1...Self.longestCursor).contains(news.cursor.utf8.count)
        if goesOn { cursor = news.cursor }
        askedAt = now.seconds
        pages += 1
        // Asking for what ended long ago may cost the person a prompt and is rarely of use; once a week is enough.
        expiredAskedAt = expiredAskedAt.filter { Self.isWithin(Self.week, since: $0.value, now) }
        let again = news.expired.filter { expiredAskedAt[$0.number] == nil }
        waiting.formUnion(news.renew.union(again).intersection(installed).map(\.number))
        waiting.formIntersection(installed.map(\.number))
        for item in again.intersection(installed) { expiredAskedAt[item.number] = now.seconds }
        if news.hasMore, goesOn, pages < Self.mostPages { return .askAgain }
        pages = 0
        return next
    }

    /// What is left from before, when the server cannot be asked: the same apps as after the last answer.
    public var next: Step {
        waiting.isEmpty
            ? .done : .renew(waiting.sorted().prefix(Self.mostAtOnce).compactMap { AppleItemID(number: $0) })
    }

    /// The system was asked to renew these. What it made of it, the next answer tells. Answers what is left.
    public mutating func didRequest(_ items: [AppleItemID]) -> Step {
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
