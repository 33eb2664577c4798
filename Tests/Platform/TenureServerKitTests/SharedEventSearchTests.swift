import Testing

@testable import TenureServerKit

/// Tests the search for the last event that two states of a store share.
@Suite struct SharedEventSearchTests {
    /// Searches the event numbers of the other state. The store has the events up to `shared`.
    private func result(
        of numbers: [Int64], sharedUpTo shared: Int64, upTo limit: Int64
    ) -> (last: Int64?, probes: Int) {
        var (search, last, probes) = (SharedEventSearch(upTo: limit), Int64?.none, 0)
        while let probe = search.probe {
            let found = numbers.last { $0 <= probe }
            let isShared = found.map { $0 <= shared } ?? false
            if isShared { last = found }
            search.take(found, isShared: isShared)
            probes += 1
        }
        return (last, probes)
    }

    @Test(arguments: 0...20, [Int64(20), 13, 1])
    func `the last event that two stores share is found among event numbers without gaps`(shared: Int64, limit: Int64) {
        let found = result(of: Array(1...20), sharedUpTo: shared, upTo: limit).last
        #expect(found == (min(shared, limit) > 0 ? min(shared, limit) : nil))
    }

    @Test(
        arguments: [
            ([3, 4, 9, 1_000_010, 1_000_011], 9, 9), ([3, 4, 9, 1_000_010, 1_000_011], 1_000_010, 1_000_010),
            ([3, 4, 9, 1_000_010, 1_000_011], 4, 4), ([3, 4], 2, nil), ([], 0, nil), ([1_000_001], 0, nil),
            ([1_000_001], 1_000_001, 1_000_001),
        ] as [([Int64], Int64, Int64?)])
    func `the last event that two stores share is found among event numbers with gaps`(
        numbers: [Int64], shared: Int64, expected: Int64?
    ) {
        #expect(result(of: numbers, sharedUpTo: shared, upTo: numbers.last ?? 1_000_000).last == expected)
    }

    @Test func `the last event that two stores of two million events share is found in at most 45 comparisons`() {
        let numbers = Array(Int64(1)...2_000_000)
        let few = result(of: numbers, sharedUpTo: 1_999_990, upTo: 2_000_000)
        #expect(few.last == 1_999_990 && few.probes <= 10)
        let many = result(of: numbers, sharedUpTo: 3, upTo: 2_000_000)
        #expect(many.last == 3 && many.probes <= 45)
    }
}
