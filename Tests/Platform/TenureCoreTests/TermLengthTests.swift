import Testing

@testable import TenureCore

@Suite struct TermLengthTests {
    @Test(
        arguments: [
            ("P1Y", 12, 0, "P1Y"), ("P1M", 1, 0, "P1M"), ("P12M", 12, 0, "P1Y"), ("P18M", 18, 0, "P1Y6M"),
            ("P14D", 0, 14, "P14D"), ("P2W", 0, 14, "P14D"), ("P1Y2M1W3D", 14, 10, "P1Y2M10D"),
            ("P100Y", 1200, 0, "P100Y"), ("P36500D", 0, 36_500, "P36500D"), ("P0Y1D", 0, 1, "P1D"),
        ] as [(String, Int, Int, String)]) func `an ISO 8601 duration is parsed and written in years, months and days`(
            text: String, months: Int, days: Int, written: String
        ) throws
    {
        let length = try #require(TermLength(text: text))
        #expect((length.months, length.days) == (months, days))
        #expect(length.description == written)
        #expect(TermLength(text: written) == length)
    }

    @Test(
        arguments: [
            "", "P", "1Y", "P1", "PY", "P1S", "PT1H", "P1YT1H", "p1y", "P1y", "P-1D", "P+1D", "P1.5M", "P1M1Y", "P1D1D",
            "P0D", "P0Y0M", "P101Y", "P1201M", "P36501D", "P5215W", "P1000000D", "P9999999999999999999D", " P1D",
            "P1D ",
        ]) func `a duration that is malformed, zero or too long is refused`(text: String)
    {
        #expect(TermLength(text: text) == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, .max], [Int.min, -1201, -1, 0, 1, 1200, .max])
    func `adding months at the ends of the range doesn't trap or move a time in the wrong direction`(
        seconds: Int64, months: Int
    ) {
        let moved = Timestamp(seconds: seconds).adding(months: months)
        #expect(months < 0 ? moved.seconds <= seconds : moved.seconds >= seconds)
    }

    @Test func `months are added to dates before 1970 by the calendar`() throws {
        let start = try #require(Timestamp(text: "1904-01-31T23:00:00Z"))
        #expect(start.adding(months: 1).description == "1904-02-29T23:00:00Z")
        #expect(start.adding(months: -2).description == "1903-11-30T23:00:00Z")
    }

    /// Tests every day of four years with 1 to 36 months.
    @Test func `monthly renewals of a term are counted from the term's start`() throws {
        let month = try #require(TermLength(months: 1))
        let first = Timestamp(seconds: 1_767_225_600 + 43_210)
        for day in 0..<1461 {
            let start = first.adding(days: day)
            var previous = start
            for months in 1...36 {
                let end = start.adding(months: months)
                #expect(end > previous)
                let renewed = Term.perpetual(from: start).end(adding: month, to: end)
                if renewed != start.adding(months: months + 1) {
                    Issue.record("\(start) renewed at \(end): \(renewed)")
                }
                previous = end
            }
        }
    }

    @Test(
        arguments: [
            // The end is on a day that the length gives, at 24:00 or at another time.
            ("2027-01-31T10:00:00Z", "P1M", "2027-03-01T00:00:00Z", "2027-04-01T00:00:00Z"),
            ("2027-01-31T10:00:00Z", "P1M", "2027-02-28T00:00:00Z", "2027-03-31T00:00:00Z"),
            ("2027-01-31T10:00:00Z", "P1M", "2027-02-28T18:30:00Z", "2027-03-31T18:30:00Z"),
            ("2027-01-31T00:00:00Z", "P1M", "2027-03-01T00:00:00Z", "2027-04-01T00:00:00Z"),
            ("2028-02-29T10:00:00Z", "P1Y", "2029-03-01T00:00:00Z", "2030-03-01T00:00:00Z"),
            ("2028-02-29T10:00:00Z", "P1Y", "2031-02-28T23:00:00Z", "2032-02-29T23:00:00Z"),
            // The end is on another day.
            ("2027-01-31T10:00:00Z", "P1M", "2027-02-27T10:00:00Z", "2027-03-27T10:00:00Z"),
            ("2027-01-31T10:00:00Z", "P1M", "2027-03-01T10:00:00Z", "2027-04-01T10:00:00Z"),
            // The length has months and days.
            ("2027-01-30T10:00:00Z", "P1M1D", "2027-03-01T10:00:00Z", "2027-04-01T10:00:00Z"),
            ("2027-01-30T10:00:00Z", "P1M1D", "2027-04-01T10:00:00Z", "2027-05-03T10:00:00Z"),
            ("2027-01-30T10:00:00Z", "P1M1D", "2027-05-03T10:00:00Z", "2027-06-03T10:00:00Z"),
            ("2027-01-30T10:00:00Z", "P1M1D", "2027-05-04T00:00:00Z", "2027-06-04T00:00:00Z"),
            ("2027-01-31T10:00:00Z", "P1M30D", "2027-03-30T10:00:00Z", "2027-05-30T10:00:00Z"),
        ]) func `a renewal counts from the term's start if the end is whole periods later, and else from the end`(
            start: String, length: String, end: String, renewed: String
        ) throws
    {
        let term = Term.perpetual(from: try #require(Timestamp(text: start)))
        let length = try #require(TermLength(text: length))
        #expect(term.end(adding: length, to: try #require(Timestamp(text: end))).description == renewed)
    }

    @Test(
        arguments: [
            ("2027-01-31", "2027-01-31T00:00:00Z", "2027-02-01T00:00:00Z"),
            ("2028-02-29", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"),
            ("2027-01-31T00:00:00Z", "2027-01-31T00:00:00Z", "2027-01-31T00:00:00Z"),
            ("2027-01-31T24:00:00Z", nil, nil), ("2027-02-30", nil, nil),
            ("9999-12-30", "9999-12-30T00:00:00Z", "9999-12-31T00:00:00Z"),
            ("9999-12-31", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
            ("9999-12-31T23:59:59-00:01", nil, nil), ("0000-01-01T00:00:00+00:01", nil, nil),
            ("0000-01-01", "0000-01-01T00:00:00Z", "0000-01-02T00:00:00Z"),
        ] as [(String, String?, String?)])
    func `a date without a time starts a term at 00:00, and ends one at 24:00, or at 23:59:59 on 9999-12-31`(
        text: String, start: String?, end: String?
    ) {
        #expect(Timestamp(text: text)?.description == start)
        #expect(Timestamp(endText: text)?.description == end)
        #expect(TermEnd(text: text)?.end?.description == end)
        #expect(TermEnd(text: "never") == .never)
    }

    @Test
    func `a term that would end after 9999 ends in that year's last second, or at its start if the start is later`()
        throws
    {
        let late = try #require(Timestamp(text: "9999-06-01T00:00:00Z"))
        #expect(Term(start: late, lasting: TermLength(months: 12)).end == .latest)
        #expect(Term(start: late, length: 365).end == .latest)
        #expect(Term(start: Timestamp(seconds: .max), length: 365).end == Timestamp(seconds: .max))
    }
}
