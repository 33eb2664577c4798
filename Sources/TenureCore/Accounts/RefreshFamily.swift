/// The refresh tokens of one sign-in, each given for the one before it: which of them still work.
///
/// A token works once. Whoever shows a used one shows that two hold the sign-in, of whom one is not meant to, so all of it
/// ends. But an answer can get lost, and an app and its extension are two processes with one token: so the one that was used
/// last gets another successor for a minute, as long as nothing of the one before was used.
public struct RefreshFamily: Sendable, Hashable {
    /// The number of the token that works; 0 before the first is given.
    public private(set) var newest: Int64

    /// The number of the token that it was given for; 0 for the first.
    public private(set) var used: Int64

    /// When that one was first used; nil for the first.
    public private(set) var usedAt: Timestamp?

    /// Whether anything that was given with the newest was used.
    public private(set) var isTaken: Bool

    /// The tokens of earlier times that another one replaced before anything of them was used.
    public private(set) var replaced: ReplacedTokens

    /// For how many seconds a used token gets another successor.
    public static let repeatSeconds: Int64 = 60

    /// Puts a family together from what a store holds. It decides nothing.
    public init(
        newest: Int64 = 0, used: Int64 = 0, usedAt: Timestamp? = nil, isTaken: Bool = false,
        replaced: ReplacedTokens = .none
    ) {
        self.newest = newest
        self.used = used
        self.usedAt = usedAt
        self.isTaken = isTaken
        self.replaced = replaced
    }

    /// Which token is shown.
    public enum Shown: Sendable, Hashable {
        /// The one that works.
        case newest
        /// The one that was used last.
        case used
        /// One of that number that is neither.
        case other(Int64)
    }

    /// What becomes of it.
    public enum Answer: Sendable, Hashable {
        /// A new token is given, under the number that is the newest now.
        case given(RefreshFamily)
        /// Nothing is given; the others go on.
        case refused
        /// The whole family is over.
        case ended
    }

    /// Decides on a token that is shown.
    public func show(_ shown: Shown, at now: Timestamp) -> Answer {
        var next = self
        switch shown {
        case .newest:
            if newest - used > 1 { next.replaced.add(used + 1...newest - 1) }
            next.used = newest
            next.usedAt = now
        case .used:
            guard mayRepeat(at: now) else { return .ended }
        case .other(let number):
            let wasUsed = number >= 1 && number <= used && !replaced.contains(number)
            return wasUsed ? .ended : .refused
        }
        next.newest += 1
        next.isTaken = false
        return .given(next)
    }

    /// Whether the first use of what was given with the newest is still to be noted: no more once it decides nothing.
    public func notesUse(at now: Timestamp) -> Bool { mayRepeat(at: now) }

    /// Notes that something that was given with the newest was used.
    public mutating func take() { isTaken = true }

    private func mayRepeat(at now: Timestamp) -> Bool {
        guard let usedAt, !isTaken else { return false }
        return usedAt.seconds(until: now) < Self.repeatSeconds
    }
}

/// Numbers of refresh tokens that were replaced, in ascending order without overlaps: few, for answers seldom get lost.
///
/// Only so many gaps are remembered. A token of one that is forgotten counts as used, which is the safe side.
public struct ReplacedTokens: Sendable, Hashable, CustomStringConvertible {
    private var ranges: [ClosedRange<Int64>]

    /// How many gaps are remembered.
    public static let most = 128

    /// None was ever replaced.
    public static let none = ReplacedTokens(ranges: [])

    private init(ranges: [ClosedRange<Int64>]) { self.ranges = ranges }

    /// Whether the number is one of them.
    public func contains(_ number: Int64) -> Bool { ranges.contains { $0.contains(number) } }

    /// Adds numbers above all others.
    mutating func add(_ numbers: ClosedRange<Int64>) {
        ranges.append(numbers)
        if ranges.count > Self.most { ranges.removeFirst(ranges.count - Self.most) }
    }

    /// Such as `3,7-9`; empty for none.
    public var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// Reads that form; nil for what is none.
    public init?(_ text: String) {
        var ranges: [ClosedRange<Int64>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: true) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
                first > ranges.last?.upperBound ?? 0, last >= first
            else { return nil }
            ranges.append(first...last)
        }
        self.ranges = ranges
    }
}
