import TenureCore
import Testing

/// Tests whether another device may become active. Days are relative to `now`.
@Suite struct DeviceAllowanceTests {
    private static let now = Timestamp(seconds: 1_790_000_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var limit: Int? = 2
        var changes: Int? = 3
        let active: Int
        /// The days until each recent device stops counting; `nil` for a device that never stops.
        var recent: [Int?] = []
        /// The days until each earlier change stops counting.
        var changed: [Int] = []
        var obstacle: DeviceAllowance.Obstacle?
        var needed = 0
    }

    private static func usedUp(_ days: Int?, limit: Int = 2, changes: Int = 3) -> DeviceAllowance.Obstacle {
        .changesUsedUp(limit: limit, changes: changes, until: days.map { now.adding(days: $0) })
    }

    static let rows: [Row] = [
        Row(testDescription: "one below the limit", active: 1),
        Row(testDescription: "at the limit", active: 2, obstacle: .limitReached(2), needed: 1),
        Row(testDescription: "above a lowered limit", active: 4, obstacle: .limitReached(2), needed: 3),
        Row(testDescription: "no limit", limit: nil, active: 900, recent: [1, 2, 3]),
        Row(testDescription: "the last change", active: 1, recent: [5, 6, 7], needed: 3),
        Row(
            testDescription: "one more than the changes", active: 1, recent: [5, 6, 7, 8], obstacle: usedUp(5),
            needed: 4),
        Row(testDescription: "two more", active: 1, recent: [8, 7, 6, 5, 9], obstacle: usedUp(6), needed: 5),
        Row(testDescription: "a device that stopped counting now", active: 1, recent: [0, 6, 7, 8], needed: 3),
        Row(testDescription: "any number of changes", changes: nil, active: 1, recent: [1, 2, 3, 4, 5, 6], needed: 6),
        Row(
            testDescription: "no changes", changes: 0, active: 1, recent: [4, 9], obstacle: usedUp(9, changes: 0),
            needed: 2),
        Row(
            testDescription: "too many count without an end", active: 1, recent: [nil, nil, nil, nil],
            obstacle: usedUp(nil), needed: 4),
        Row(
            testDescription: "an earlier change is the next to end", active: 1, recent: [5], changed: [1, 2, 3],
            obstacle: usedUp(1), needed: 1),
        Row(
            testDescription: "a device ends before a change", active: 1, recent: [5], changed: [7, 8, 9],
            obstacle: usedUp(5), needed: 1),
        Row(testDescription: "earlier changes, and no further one is needed", active: 1, changed: [1, 2, 3, 4]),
        Row(
            testDescription: "more changes than a lowered number allows", changes: 1, active: 1, recent: [9],
            changed: [1, 2, 3], obstacle: usedUp(3, changes: 1), needed: 1),
    ]

    @Test(arguments: rows)
    func `another device may become active only within the device limit and the limit on device changes`(_ row: Row) {
        let allowance = DeviceAllowance(limit: row.limit, changes: row.changes)
        let use = DeviceAllowance.Use(
            active: row.active, recent: row.recent.map { $0.map { Self.now.adding(days: $0) } },
            changes: row.changed.map { Self.now.adding(days: $0) }, at: Self.now)
        #expect(allowance.obstacle(after: use) == row.obstacle)
        #expect(allowance.neededChanges(after: use) == row.needed)
    }

    /// Random limits, devices and earlier changes for one decision.
    private struct Scene {
        let limit: Int
        let changes: Int?
        let active: Int
        let recent: [Timestamp?]
        let changed: [Timestamp]

        init(seed: UInt64, hasChanges: Bool) {
            var random = Seeded(state: seed)
            limit = .random(in: 1...5, using: &random)
            changes = Bool.random(using: &random) ? .random(in: 0...4, using: &random) : nil
            active = .random(in: 0...5, using: &random)
            recent = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                let days = Int.random(in: -2...7, using: &random)
                return days == 7 ? nil : now.adding(days: days)
            }
            let count = hasChanges ? Int.random(in: 0...8, using: &random) : 0
            changed = (0..<count).map { _ in now.adding(days: .random(in: -2...6, using: &random)) }
        }

        func obstacle(at time: Timestamp = now) -> DeviceAllowance.Obstacle? {
            DeviceAllowance(limit: limit, changes: changes)
                .obstacle(after: .init(active: active, recent: recent, changes: changed, at: time))
        }
    }

    /// A generator with a seed, so that a failure can be repeated.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test
    func `without earlier device changes, active and recent devices together may reach the limit plus the changes`() {
        for seed in UInt64(0)..<5_000 {
            let scene = Scene(seed: seed, hasChanges: false)
            let counted = scene.recent.filter { until in until.map { $0 > Self.now } ?? true }
            guard scene.active < scene.limit, let changes = scene.changes else {
                #expect(scene.obstacle() == (scene.active < scene.limit ? nil : .limitReached(scene.limit)), "\(seed)")
                continue
            }
            let excess = scene.active + counted.count - (scene.limit + changes) + 1
            let ends = counted.compactMap(\.self).sorted()
            let expected: DeviceAllowance.Obstacle? =
                excess > 0
                ? .changesUsedUp(
                    limit: scene.limit, changes: changes, until: ends.count >= excess ? ends[excess - 1] : nil)
                : nil
            #expect(scene.obstacle() == expected, "\(seed)")
        }
    }

    @Test func `after earlier device changes, a new device is allowed while it needs no more changes than are left`() {
        for seed in UInt64(0)..<5_000 {
            let scene = Scene(seed: seed, hasChanges: true)
            let mayJoin = { (time: Timestamp) -> Bool in
                let recent = scene.recent.count { until in until.map { $0 > time } ?? true }
                let needed = scene.active + recent + 1 - scene.limit
                if needed <= 0 { return true }
                let changed = scene.changed.count { $0 > time }
                return recent >= needed && scene.changes.map { changed + needed <= $0 } ?? true
            }
            #expect((scene.obstacle() == nil) == mayJoin(Self.now), "\(seed)")
            guard case .changesUsedUp(_, _, let until)? = scene.obstacle() else { continue }
            let ends = (scene.recent.compactMap(\.self) + scene.changed).filter { $0 > Self.now }.sorted()
            #expect(until == ends.first(where: mayJoin), "\(seed)")
        }
    }

    @Test(arguments: [(nil, nil), (1, 3), (3, 3), (4, 4)] as [(Int?, Int?)])
    func `by default, a policy allows as many device changes as devices, and at least three`(limit: Int?, changes: Int?)
    {
        #expect(DeviceAllowance.standardChanges(for: limit) == changes)
    }
}
