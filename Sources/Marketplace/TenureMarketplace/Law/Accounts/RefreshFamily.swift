public import TenureCore

/// The chain of refresh tokens of one sign-in, numbered from 1, with the rules that decide which tokens still work.
///
/// A token works once. If a used token is presented again, it may have been stolen, so all tokens of the sign-in end.
/// There is one exception, because a response can get lost, and an app and its extension may share a token. Within
/// ``repeatSeconds``, the token that was used last can be exchanged again, unless the access token of the previous
/// exchange has been used.
public struct RefreshFamily: Sendable, Hashable {
    /// The number of the token that works now; 0 before the first is issued.
    public private(set) var newest: Int64

    /// The number of the token that ``newest`` was issued in exchange for; 0 if ``newest`` is the first.
    public private(set) var used: Int64

    /// When the token ``used`` was first used; `nil` if ``newest`` is the first.
    public private(set) var usedAt: Timestamp?

    /// Whether the access token issued together with ``newest`` has been used.
    public private(set) var isTaken: Bool

    /// The unused tokens that were replaced when an exchange was repeated.
    public private(set) var replaced: RefreshFamily.ReplacedTokens

    /// How long after its first use a token can be presented again, in seconds.
    public static let repeatSeconds: Int64 = 60

    /// Creates a family from a stored record without checking any rule.
    public init(
        newest: Int64 = 0, used: Int64 = 0, usedAt: Timestamp? = nil, isTaken: Bool = false,
        replaced: RefreshFamily.ReplacedTokens = .none
    ) {
        self.newest = newest
        self.used = used
        self.usedAt = usedAt
        self.isTaken = isTaken
        self.replaced = replaced
    }

    /// Which token of the family a client presents.
    public enum Shown: Sendable, Hashable {
        /// The token that works, whose number is ``newest``.
        case newest
        /// The token that was used last, whose number is ``used``.
        case used
        /// Another token, by its number.
        case other(Int64)
    }

    /// The result of presenting a refresh token.
    public enum Answer: Sendable, Hashable {
        /// A new token is issued with the number ``newest`` of this family.
        case given(RefreshFamily)
        /// No token is issued; the other tokens keep working.
        case refused
        /// All tokens of the family end.
        case ended
    }

    /// Decides whether a presented token is exchanged, is refused, or ends the family.
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

    /// Whether the first use of the access token issued together with ``newest`` must be recorded.
    ///
    /// Once the exchange can't be repeated any more, no decision depends on that use.
    public func notesUse(at now: Timestamp) -> Bool { mayRepeat(at: now) }

    /// Records that the access token issued together with ``newest`` was used.
    public mutating func take() { isTaken = true }

    private func mayRepeat(at now: Timestamp) -> Bool {
        guard let usedAt, !isTaken else { return false }
        return usedAt.seconds(until: now) < Self.repeatSeconds
    }
}

extension RefreshFamily {
    /// The numbers of replaced refresh tokens as ascending ranges that don't overlap.
    ///
    /// Responses rarely get lost, so there are few ranges, and only the last ``most`` are kept. A token from a range
    /// that was dropped counts as used, which is the safe choice.
    public struct ReplacedTokens: Sendable, Hashable, CustomStringConvertible {
        private var ranges: [ClosedRange<Int64>]

        /// The maximum number of ranges that are kept.
        public static let most = 128

        /// No ranges, for a family without replaced tokens.
        public static let none = RefreshFamily.ReplacedTokens(ranges: [])

        private init(ranges: [ClosedRange<Int64>]) { self.ranges = ranges }

        /// Whether one of the ranges contains the number.
        public func contains(_ number: Int64) -> Bool { ranges.contains { $0.contains(number) } }

        /// Adds a range of numbers, which must be larger than all others.
        mutating func add(_ numbers: ClosedRange<Int64>) {
            ranges.append(numbers)
            if ranges.count > Self.most { ranges.removeFirst(ranges.count - Self.most) }
        }

        /// The ranges as text, such as `3,7-9`; empty if there is no range.
        public var description: String {
            ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(
                separator: ",")
        }

        /// Parses the text that ``description`` produces; returns `nil` for any other text.
        public init?(_ text: String) {
            var ranges: [ClosedRange<Int64>] = []
            for part in text.split(atByte: ",", omittingEmptySubsequences: true) {
                let ends = part.split(atByte: "-", omittingEmptySubsequences: false).map { Int64($0) }
                guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
                    first > ranges.last?.upperBound ?? 0, last >= first
                else { return nil }
                ranges.append(first...last)
            }
            self.ranges = ranges
        }
    }
}
