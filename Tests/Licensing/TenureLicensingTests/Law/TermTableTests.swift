import GoldenFiles
import TenureCore
import TenureLicensing
import Testing

/// Compares every end in the documented table with the ends of renewed licenses.
@Suite struct TermTableTests {
    @Test func `the documented table of renewal ends covers months, quarters, years, weeks and days`() throws {
        #expect(
            try Set(DocumentedTable.ends().map(\.duration)).isSuperset(of: [
                "P1M", "P3M", "P1Y", "P2W", "P365D", "P1M1D",
            ]))
        #expect(try DocumentedTable.ends().count >= 10)
    }

    @Test(arguments: try DocumentedTable.ends(), ["T00:00:00Z", "T10:20:30Z", "T23:59:59Z"])
    func `renewed licenses end at the dates of the documented table`(_ row: DocumentedTable.Ends, time: String) throws {
        let start = try #require(Timestamp(text: row.start + time))
        let length = try #require(TermLength(text: row.duration))
        let policy = Policy(id: Given.pro, name: "Pro", duration: length)
        var license = try issued(under: policy, at: start)
        for (index, end) in row.ends.enumerated() {
            let end = try #require(Timestamp(text: end + time))
            #expect(license.term == Term(start: start, end: end))
            // The next renewal takes place in the term's last second, a day before the term's end, or at the license's
            // start.
            let now = [end.adding(seconds: -1), end.adding(days: -1), start][index % 3]
            license = try #require(license.renew(.policy, under: policy, by: .time, at: now).outcome?.license)
        }
    }

    @Test func `after an expired license is renewed, the months of its term are counted from the renewal's date`()
        throws
    {
        let policy = Policy(id: Given.pro, name: "Pro", duration: TermLength(months: 1))
        let license = try issued(under: policy, at: try #require(Timestamp(text: "2027-01-31T10:00:00Z")))
        let late = try #require(Timestamp(text: "2027-03-30T08:00:00Z"))
        let renewed = try #require(license.renew(.policy, under: policy, by: .time, at: late).outcome?.license)
        #expect(renewed.term.end?.description == "2027-04-30T08:00:00Z")
        let again = try #require(renewed.renew(.policy, under: policy, by: .time, at: late).outcome?.license)
        #expect(again.term.end?.description == "2027-05-30T08:00:00Z")
    }

    @Test func `after a renewal by days, the next renewal counts its months from the new end`() throws {
        let policy = Policy(id: Given.pro, name: "Pro", duration: TermLength(months: 1))
        let start = try #require(Timestamp(text: "2027-01-31T10:00:00Z"))
        let license = try issued(under: policy, at: start)
        let longer = try #require(license.renew(.days(3), under: policy, by: .time, at: start).outcome?.license)
        #expect(longer.term.end?.description == "2027-03-03T10:00:00Z")
        let renewed = try #require(longer.renew(.policy, under: policy, by: .time, at: start).outcome?.license)
        #expect(renewed.term.end?.description == "2027-04-03T10:00:00Z")
    }

    @Test(arguments: [RenewalLength.policy, .days(365), .until(Timestamp.latest.adding(seconds: 1))])
    func `a renewal or a change of the end beyond the latest supported date is refused`(_ length: RenewalLength) throws
    {
        let policy = Policy(id: Given.pro, name: "Pro", duration: TermLength(months: 12))
        let start = try #require(Timestamp(text: "2027-01-31T10:00:00Z"))
        let license = try issued(under: policy, at: start)
        let until = try #require(Timestamp(text: "9999-03-01T00:00:00Z"))
        let late = try #require(license.renew(.until(until), under: policy, by: .time, at: start).outcome?.license)
        #expect(late.term.end == until)
        #expect(late.renew(length, under: policy, by: .time, at: start).refusal?.first.code == .endTooLate)
        #expect(late.renew(.days(300), under: policy, by: .time, at: start).refusal == nil)
        #expect(late.renew(.until(.latest), under: policy, by: .time, at: start).refusal == nil)
        let end = LicenseTerms.FieldChange.end(.at(Timestamp.latest.adding(seconds: 1)))
        #expect(license.change([end], by: .time, at: start).refusal?.first.code == .endTooLate)
    }

    private func issued(under policy: Policy, at now: Timestamp) throws -> License {
        let terms = LicenseTerms(under: policy, from: now)
        return try #require(
            License.issue(id: Given.id, product: Given.product, key: Given.key, terms: terms, by: .time, at: now)
                .license)
    }
}
