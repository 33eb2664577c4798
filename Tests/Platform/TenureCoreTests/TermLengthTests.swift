import Testing

@testable import TenureCore

@Suite struct TermLengthTests {
    @Test(
        arguments: [
            ("P1Y", 12, 0, "P1Y"), ("P1M", 1, 0, "P1M"), ("P12M", 12, 0, "P1Y"), ("P18M", 18, 0, "P1Y6M"),
            ("P14D", 0, 14, "P14D"), ("P2W", 0, 14, "P14D"), ("P1Y2M1W3D", 14, 10, "P1Y2M10D"),
            ("P100Y", 1200, 0, "P100Y"), ("P36500D", 0, 36_500, "P36500D"), ("P0Y1D", 0, 1, "P1D"),
        ] as [(String, Int, Int, String)]) func `a duration is read and written`(
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
        ]) func `any other text is refused`(text: String)
    {
        #expect(TermLength(text: text) == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, .max], [Int.min, -1201, -1, 0, 1, 1200, .max])
    func `months saturate instead of trapping`(seconds: Int64, months: Int) {
        let moved = Timestamp(seconds: seconds).adding(months: months)
        #expect(months < 0 ? moved.seconds <= seconds : moved.seconds >= seconds)
    }

    @Test func `a month before the epoch ends like one after it`() throws {
        let start = try #require(Timestamp(text: "1904-01-31T23:00:00Z"))
        #expect(start.adding(months: 1).description == "1904-02-29T23:00:00Z")
        #expect(start.adding(months: -2).description == "1903-11-30T23:00:00Z")
    }

    /// Every day of four years, and every count of months up to three years.
    @Test func `whole months are counted exactly where adding them leads`() {
        let first = Timestamp(seconds: 1_767_225_600 + 43_210)
        for day in 0..<1461 {
            let start = first.adding(days: day)
            var previous = start
            for months in 1...36 {
                let end = start.adding(months: months)
                #expect(end > previous)
                #expect(start.wholeMonths(until: end) == months)
                #expect(start.wholeMonths(until: end.adding(seconds: 1)) == nil)
                previous = end
            }
        }
        #expect(first.wholeMonths(until: first) == 0)
        #expect(first.wholeMonths(until: first.adding(months: -1)) == nil)
    }
}
