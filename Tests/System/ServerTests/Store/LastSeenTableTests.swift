import TenureCore
import TenureLicensingServer
import TenureTesting
import Testing

@Suite struct LastSeenTableTests {
    @Test
    func `a hash table of last-seen times has the same contents as a dictionary of each device's latest time`() {
        var randomness = SystemRandomNumberGenerator()
        let ids = (0..<5_000).map { _ in ActivationID.random(using: &randomness) }
        var table = LastSeenTable()
        for round in 0..<2 {
            var expected: [ActivationID: Timestamp] = [:]
            for second in 0..<20_000 {
                guard let id = ids.randomElement() else { return }
                let now = Timestamp(seconds: Int64(round * 20_000 + second))
                table.record(id, at: now, limit: .max)
                expected[id] = now
            }
            #expect(table.count == expected.count)
            let entries = table.removeAll()
            #expect(Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) }) == expected)
            #expect(table.count == 0 && table.removeAll().isEmpty)
        }
    }

    @Test func `the entries of a hash table of last-seen times are sorted by activation`() {
        var table = LastSeenTable()
        let ids: [(high: UInt64, low: UInt64)] = [(2, 0), (1, .max), (1, 1), (.max, 0), (0, 0)]
        for id in ids { table.record(ActivationID(high: id.high, low: id.low), at: Self.now, limit: .max) }
        #expect(table.removeAll().map(\.key.high) == [0, 1, 1, 2, .max])
        for id in ids { table.record(ActivationID(high: id.high, low: id.low), at: Self.now, limit: .max) }
        #expect(table.removeAll().map(\.key.low) == [0, 1, .max, 0, 0])
    }

    @Test(arguments: [1, 895, 896, 897, 2_000])
    func `a full hash table of last-seen times accepts later times of its devices, and no other device`(limit: Int) {
        var table = LastSeenTable()
        for number in 0...limit {
            table.record(ActivationID(high: UInt64(number), low: 7), at: Self.now, limit: limit)
        }
        table.record(ActivationID(high: 0, low: 7), at: Self.now.adding(seconds: 5), limit: limit)
        let entries = table.removeAll()
        #expect(entries.map(\.key.high) == (0..<limit).map(UInt64.init))
        #expect(entries.first?.value == Self.now.adding(seconds: 5))
    }

    @Test(arguments: [Int64.min, .min + 1, 0, .max])
    func `a hash table of last-seen times stores a device even with the smallest or largest time`(seconds: Int64) {
        var table = LastSeenTable()
        table.record(ActivationID(high: 1, low: 1), at: Timestamp(seconds: seconds), limit: 2)
        #expect(table.count == 1)
        #expect(table.removeAll().map(\.value.seconds) == [max(seconds, .min + 1)])
    }

    private static let now = Timestamp(seconds: 1_900_000_000)
}
