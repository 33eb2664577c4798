import TenureCore
import TenureMarketplace
import Testing

/// Which refresh tokens of a family are accepted, as a table and in random order.
@Suite struct RefreshFamilyTests {
    private static let start = Timestamp(seconds: 1_000)

    /// A family whose first token was used at the start: token 2 is the newest, token 1 the used one.
    private static let once = RefreshFamily(newest: 2, used: 1, usedAt: start)

    struct Row: Sendable, CustomTestStringConvertible {
        let claim: String
        let family: RefreshFamily
        let shown: RefreshFamily.Shown
        let after: Int64
        /// The newest token afterwards; `nil` if only the request is refused, 0 if the whole family ends.
        let newest: Int64?

        var testDescription: String { claim }
    }

    static let rows: [Row] = [
        Row(claim: "the first is used", family: .init(newest: 1), shown: .newest, after: 0, newest: 2),
        Row(claim: "the newest is used long after", family: once, shown: .newest, after: 9_999, newest: 3),
        Row(claim: "the used one comes again at once", family: once, shown: .used, after: 0, newest: 3),
        Row(claim: "the used one comes again in the last second", family: once, shown: .used, after: 59, newest: 3),
        Row(claim: "the used one comes again too late", family: once, shown: .used, after: 60, newest: 0),
        Row(
            claim: "the used one comes again after something of its successor was used",
            family: .init(newest: 2, used: 1, usedAt: start, isTaken: true), shown: .used, after: 1, newest: 0),
        Row(
            claim: "a clock of another server is a little behind", family: once, shown: .used, after: -3, newest: 3),
        Row(
            claim: "one that was replaced is refused alone", family: .init(newest: 3, used: 1, usedAt: start),
            shown: .other(2), after: 1, newest: nil),
        Row(
            claim: "one that was replaced long ago is refused alone",
            family: .init(newest: 9, used: 8, usedAt: start, replaced: RefreshFamily.ReplacedTokens("2,4-5")!),
            shown: .other(5),
            after: 9_999, newest: nil),
        Row(
            claim: "one that was used long ago ends all",
            family: .init(newest: 9, used: 8, usedAt: start, replaced: RefreshFamily.ReplacedTokens("2,4-5")!),
            shown: .other(3),
            after: 9_999, newest: 0),
        Row(claim: "a number that was never given", family: once, shown: .other(7), after: 1, newest: nil),
        Row(claim: "a number below all", family: once, shown: .other(0), after: 1, newest: nil),
        Row(claim: "a forged first", family: .init(newest: 1), shown: .other(1), after: 1, newest: nil),
    ]

    @Test(arguments: rows)
    func `reusing a refresh token ends its family, except within a minute while the token's successor is unused`(
        row: Row
    ) {
        let answer = row.family.show(row.shown, at: Self.start.adding(seconds: row.after))
        switch answer {
        case .given(let next): #expect(next.newest == row.newest)
        case .refused: #expect(row.newest == nil)
        case .ended: #expect(row.newest == 0)
        }
    }

    @Test
    func `a refresh token that was replaced unused is only refused, and one that was used before ends its family`()
        throws
    {
        let repeated = try #require(Self.once.given(.used, at: Self.start.adding(seconds: 5)))
        #expect(repeated.usedAt == Self.start, "the minute starts at the first use")
        let next = try #require(repeated.given(.newest, at: Self.start.adding(seconds: 90)))
        #expect(next.replaced.description == "2")
        #expect((next.used, next.newest) == (3, 4))
        #expect(next.show(.other(2), at: Self.start) == .refused)
        #expect(next.show(.other(1), at: Self.start) == .ended)
    }

    @Test func `a list of replaced tokens is read back unchanged, and a malformed one is refused`() throws {
        for text in ["", "2", "2,4-5", "1-3,9"] { #expect(RefreshFamily.ReplacedTokens(text)?.description == text) }
        for text in ["a", "5-4", "3,2", "1-2-3", "-1", "3,3"] {
            #expect(RefreshFamily.ReplacedTokens(text) == nil, "\(text)")
        }
    }

    @Test func `a token family stores replaced tokens in at most 128 ranges`() throws {
        var family = RefreshFamily(newest: 1)
        var now = Self.start
        for _ in 0..<(RefreshFamily.ReplacedTokens.most + 10) {
            family = try #require(family.given(.newest, at: now))
            family = try #require(family.given(.used, at: now))
            now = now.adding(seconds: 61)
        }
        family = try #require(family.given(.newest, at: now))
        #expect(family.replaced.description.split(separator: ",").count == RefreshFamily.ReplacedTokens.most)
    }

    /// A model of the rules that tracks every token of a family separately. The test compares the family with this
    /// model.
    private struct Model {
        enum Standing { case newest, used, replaced }
        var tokens: [Int64: Standing] = [1: .newest]
        var parent: [Int64: Int64] = [:]
        var usedAt: [Int64: Timestamp] = [:]
        var isTaken = false
        var isOver = false

        var newest: Int64 { tokens.keys.max() ?? 0 }

        mutating func show(_ number: Int64, at now: Timestamp) -> Int64? {
            guard !isOver, let status = tokens[number] else { return nil }
            switch status {
            case .replaced: return nil
            case .newest:
                (tokens[number], usedAt[number]) = (.used, now)
            case .used:
                let isLast = parent[newest] == number
                guard isLast, !isTaken, let first = usedAt[number], first.seconds(until: now) < 60 else {
                    isOver = true
                    return nil
                }
                tokens[newest] = .replaced
            }
            let next = newest + 1
            (tokens[next], parent[next], isTaken) = (.newest, number, false)
            return next
        }
    }

    @Test(arguments: UInt64(0)..<300)
    func `a token family responds to random sequences of refresh tokens as a reference model predicts`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var (model, family, now) = (Model(), RefreshFamily(newest: 1), Self.start)
        for step in 0..<120 {
            now = now.adding(seconds: Int64.random(in: 0...40, using: &random))
            if Int.random(in: 0..<4, using: &random) == 0 {
                model.isTaken = model.newest > 1
                if family.notesUse(at: now) { family.take() } else { model.isTaken = family.isTaken || model.isTaken }
                continue
            }
            // Uses an old token only rarely, because that ends the family.
            let isOld = Int.random(in: 0..<40, using: &random) == 0
            let last = isOld ? 1 : max(1, model.newest - 2)
            let number = Int64.random(in: last...model.newest, using: &random)
            let shown: RefreshFamily.Shown =
                number == family.newest ? .newest : number == family.used ? .used : .other(number)
            let expected = model.show(number, at: now)
            switch family.show(shown, at: now) {
            case .given(let next):
                #expect(expected == next.newest, "step \(step)")
                family = next
            case .refused: #expect(expected == nil && !model.isOver, "step \(step)")
            case .ended: #expect(model.isOver, "step \(step)")
            }
            if model.isOver { return }
        }
    }
}

extension RefreshFamily {
    fileprivate func given(_ shown: Shown, at now: Timestamp) -> RefreshFamily? {
        if case .given(let next) = show(shown, at: now) { next } else { nil }
    }
}
