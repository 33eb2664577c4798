import TenureCore
import TenureServerKit
import Testing

@Suite struct ClockWatchTests {
    private static let start = Timestamp(seconds: 1_800_000_000)
    private static let day: Int64 = 86_400

    /// Returns a reading `steady` seconds after the start, with the wall clock moved by `moved` seconds.
    private static func reading(_ steady: Int64, moved: Int64 = 0) -> ClockWatch.Sample {
        ClockWatch.Sample(wall: start.adding(seconds: steady + moved), steady: 1_000 + steady)
    }

    private static func watch(mark: Timestamp? = nil) -> ClockWatch {
        ClockWatch(reading(0), since: ClockWatch.Mark(seen: mark))
    }

    /// How many seconds before the start the store was last used, and the doubt at the start.
    @Test(
        arguments: [
            (nil, nil), (0, nil), (-300, nil), (-301, .behind), (-400 * day, .behind), (30 * day, nil),
            (30 * day + 1, .ahead), (400 * day, .ahead),
        ] as [(Int64?, ClockDoubt.Kind?)])
    func `at a start, a clock over 5 minutes behind or 30 days ahead of the stored time is doubted`(
        passed: Int64?, doubt: ClockDoubt.Kind?
    ) {
        let watch = Self.watch(mark: passed.map { Self.start.adding(seconds: -$0) })
        #expect(watch.doubt?.kind == doubt)
        #expect(watch.doubt.map(\.seconds) == (doubt == nil ? nil : passed))
        // During the doubt, time counts from the stored high-water mark.
        let offset = doubt == nil ? 0 : -(passed ?? 0)
        #expect(watch.time(at: Self.reading(5)) == Self.reading(5, moved: offset).wall)
    }

    @Test(arguments: [-400 * day, 400 * day]) func `a clock doubt at the start ends once the clock is corrected`(
        off: Int64
    ) {
        var watch = ClockWatch(Self.reading(0, moved: off), since: ClockWatch.Mark(seen: Self.start))
        #expect(watch.doubt != nil)
        watch.observe(Self.reading(50, moved: off))
        #expect(watch.doubt != nil)
        watch.observe(Self.reading(60))
        #expect(watch.doubt == nil)
        watch.observe(Self.reading(3_600))
        #expect(watch.doubt == nil)
    }

    /// By how many seconds the wall clock was set, and whether the clock is doubted.
    @Test(
        arguments: [
            (300, false), (-300, false), (301, true), (-301, true), (400 * day, true), (.min, true), (.max, true),
        ]
            as [(Int64, Bool)])
    func `a wall clock that jumps by more than five minutes is distrusted, and time continues by the steady clock`(
        step: Int64, isDoubted: Bool
    ) {
        var watch = Self.watch()
        let set = ClockWatch.Sample(wall: Self.start.adding(seconds: 10).adding(seconds: step), steady: 1_010)
        watch.observe(set)
        #expect((watch.doubt?.kind == .stepped) == isDoubted)
        #expect(watch.time(at: set) == (isDoubted ? Self.start.adding(seconds: 10) : set.wall))
        watch.observe(Self.reading(20))
        #expect(watch.doubt == nil, "the clock was corrected")
    }

    /// How many seconds before the start a server on this host stored its clocks, by how many the wall clock was set in
    /// between, and whether the clock is doubted.
    @Test(
        arguments: [
            (0, 300, false), (0, 301, true), (5, day, true), (5, -299, false), (600, day, true), (601, day, false),
            (-1, day, false), (5, 40 * day, true),
        ] as [(Int64, Int64, Bool)])
    func `at a start, a clock set by over 5 minutes since a server's reading in the last ten minutes is doubted`(
        passed: Int64, step: Int64, isDoubted: Bool
    ) {
        let former = Self.reading(-passed)
        let start = Self.reading(0, moved: step)
        var watch = ClockWatch(start, since: ClockWatch.Mark(seen: former.wall, reading: former))
        #expect((watch.doubt != nil) == isDoubted)
        guard isDoubted, step <= ClockWatch.longestAbsence else { return }
        #expect(watch.doubt == ClockDoubt(.stepped, by: step))
        #expect(watch.time(at: start) == Self.start)
        watch.observe(Self.reading(600, moved: step))
        #expect(watch.doubt == nil, "a step ahead is accepted after ten minutes")
    }

    @Test func `many small steps of a clock, each within the tolerance, aren't doubted`() {
        var watch = Self.watch()
        for minute in 1...10_000 {
            watch.observe(Self.reading(Int64(minute) * 61, moved: Int64(minute) * 200))
            #expect(watch.doubt == nil)
        }
    }

    /// By how many seconds a paused or changed clock jumped, and after how many undisturbed seconds it is trusted.
    @Test(
        arguments: [
            (301, 600), (day, 600), (30 * day, 600), (30 * day + 1, nil), (-301, nil), (-day, nil),
        ] as [(Int64, Int64?)])
    func `only a clock step ahead of at most 30 days is accepted after ten minutes without another step`(
        step: Int64, quiet: Int64?
    ) {
        var watch = Self.watch()
        watch.observe(Self.reading(1, moved: step))
        for second in 2...600 {
            watch.observe(Self.reading(Int64(second), moved: step))
            #expect(watch.doubt?.kind == .stepped, "after \(second) s")
        }
        watch.observe(Self.reading(601, moved: step))
        #expect((watch.doubt == nil) == (quiet != nil))
        watch.observe(Self.reading(86_400, moved: step))
        #expect((watch.doubt == nil) == (quiet != nil))
    }

    @Test func `a clock that is set every minute stays doubted`() {
        var watch = Self.watch()
        for minute in 1...100 {
            watch.observe(Self.reading(Int64(minute) * 60, moved: Int64(minute) * 400))
            #expect(watch.doubt?.kind == .stepped)
        }
    }

    @Test func `an accepted clock is trusted, and a later step of it is doubted`() {
        var watch = Self.watch()
        watch.observe(Self.reading(10, moved: 400 * Self.day))
        watch.accept(at: Self.reading(20, moved: 400 * Self.day))
        #expect(watch.doubt == nil)
        #expect(watch.time(at: Self.reading(20, moved: 400 * Self.day)) == Self.reading(20, moved: 400 * Self.day).wall)
        watch.observe(Self.reading(30))
        #expect(watch.doubt == ClockDoubt(.stepped, by: -400 * Self.day))
    }

    @Test func `a clock that differs from the database's by over five minutes is doubted until both agree`() {
        var watch = Self.watch()
        watch.observe(Self.reading(1), database: Self.reading(1, moved: 300).wall)
        #expect(watch.doubt == nil)
        watch.observe(Self.reading(2), database: Self.reading(2, moved: 301).wall)
        #expect(watch.doubt == ClockDoubt(.apart, by: -301))
        watch.observe(Self.reading(3, moved: 301))
        #expect(watch.doubt?.kind == .apart, "the database's clock wasn't read again")
        watch.observe(Self.reading(4, moved: 301), database: Self.reading(4, moved: 301).wall)
        #expect(watch.doubt == nil, "the clock was corrected, which isn't a jump")
    }

    @Test func `a difference from the database's clock stays accepted until it grows by over five minutes`() {
        var watch = Self.watch()
        let ahead = Self.day
        watch.observe(Self.reading(1, moved: 0), database: Self.reading(1, moved: ahead).wall)
        watch.accept(at: Self.reading(2))
        watch.observe(Self.reading(3), database: Self.reading(3, moved: ahead).wall)
        #expect(watch.doubt == nil)
        watch.observe(Self.reading(4), database: Self.reading(4, moved: ahead + 301).wall)
        #expect(watch.doubt?.kind == .apart)
    }

    @Test func `an accepted difference from the database's clock is doubted if it returns after both clocks agreed`() {
        var watch = Self.watch()
        watch.observe(Self.reading(1), database: Self.reading(1, moved: -3_600).wall)
        watch.accept(at: Self.reading(2))
        watch.observe(Self.reading(3), database: Self.reading(3).wall)
        #expect(watch.doubt == nil && watch.isNearDatabase, "the database's clock was corrected")
        watch.observe(Self.reading(4), database: Self.reading(4, moved: -3_600).wall)
        #expect(watch.doubt == ClockDoubt(.apart, by: 3_600))
    }

    @Test func `an accepted difference from the database's clock stays accepted after a restart`() {
        var watch = ClockWatch(Self.reading(0), since: ClockWatch.Mark(seen: nil, apart: 3_600))
        watch.observe(Self.reading(1), database: Self.reading(1, moved: -3_700).wall)
        #expect(watch.doubt == nil)
        watch.observe(Self.reading(2), database: Self.reading(2, moved: -4_000).wall)
        #expect(watch.doubt?.kind == .apart)
    }

    /// A doubt, and a part of its message for the operator.
    @Test(
        arguments: [
            (ClockDoubt(.stepped, by: 34_560_000), "was set 400 days ahead while"),
            (ClockDoubt(.stepped, by: -3_700), "was set 1 hour back while"),
            (ClockDoubt(.behind, by: -301), "is 5 minutes behind the latest time"),
            (ClockDoubt(.ahead, by: .max), "days ahead of the latest time"),
            (ClockDoubt(.apart, by: .min), "days behind the database's"),
            (ClockDoubt(.apart, by: 7_200), "is 2 hours ahead of the database's"),
        ])
    func `a clock doubt's message names the difference, and its remedy names tenure clock accept`(
        doubt: ClockDoubt, words: String
    ) {
        #expect(doubt.message.contains(words), "\(doubt.message)")
        #expect(doubt.cure.contains("tenure clock accept"))
    }
}
