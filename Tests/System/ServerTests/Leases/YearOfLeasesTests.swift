import GoldenFiles
import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureStore
import TenureTesting
import Testing

/// A device that refreshes its lease every day, while its license is renewed before each end.
@Suite struct YearOfLeasesTests {
    @Test(
        arguments: [("2027-01-31", "P1M"), ("2028-02-29", "P1M"), ("2027-01-31", "P1Y"), ("2028-02-29", "P1Y")])
    func `on each day of a year, a lease ends after 7 days, but not after the documented end of the license's term`(
        start: String, duration: String
    ) async throws {
        let vendor = try await Vendor()
        let begin = try #require(Timestamp(text: start + "T10:20:30Z"))
        vendor.clock.advance(seconds: vendor.clock.now().seconds(until: begin))
        try await vendor.apply(Self.catalog(duration))
        let row = try #require(try DocumentedTable.ends().first { $0.start == start && $0.duration == duration })
        var ends = try row.ends.map { try #require(Timestamp(text: $0 + "T10:20:30Z")) }[...]
        let app = try await LeaseApp(vendor)
        let (first, activation) = try await app.activated(Self.key)
        #expect(first.term == Term(start: begin, end: ends.first))
        // More than a year: the last day is in the term after the twelfth month, or in the second year.
        for day in 1...372 {
            vendor.clock.advance(days: 1)
            let now = vendor.clock.now()
            #expect(now == begin.adding(days: day))
            if let end = ends.first, now.seconds(until: end) <= 86_400 {
                guard case .done = try await vendor.act(.renew(.policy), on: Self.key) else {
                    Issue.record("the renewal on \(now) was refused")
                    return
                }
                ends.removeFirst()
            }
            let lease = try #require(try await app.renew(Self.key, activation).yes, "\(now)")
            #expect(lease.status == .active)
            #expect(lease.term == Term(start: begin, end: ends.first))
            #expect(lease.envelope.expiresAt == min(now.adding(days: 7), try #require(ends.first)))
        }
        #expect(ends.count == (duration == "P1M" ? 1 : 3))
    }

    private static let key = "TERM-0000-0000-0001"

    private static func catalog(_ duration: String) -> String {
        """
        {"tenants": [{"id": "acme", "products": [{"id": "notes", "keyPrefix": "NOTE",
          "policies": [{"id": "term", "duration": "\(duration)"}],
          "licenses": [{"key": "\(key)", "policy": "term"}]}]}]}
        """
    }
}
