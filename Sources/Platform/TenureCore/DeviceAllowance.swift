/// How many devices may be active at the same time, and how often other devices may replace them.
///
/// Licenses, apps and contents count devices by the same rule. A released device still counts for a while, because it
/// may still be able to use the data that it received. Moving to another device therefore works at once, but releasing
/// devices doesn't allow ever more of them to be used.
public struct DeviceAllowance: Sendable, Hashable {
    /// How many devices may be active at the same time; `nil` for no limit.
    public let limit: Int?
    /// How many further devices may become active within ``countedDays`` days once ``limit`` devices count towards it;
    /// `nil` for no limit.
    ///
    /// It has no effect without a device limit.
    public let changes: Int?

    /// Creates an allowance from its parts, without checking that they are in range.
    public init(limit: Int?, changes: Int?) {
        self.limit = limit
        self.changes = changes
    }

    /// The shortest time that a released device counts towards ``limit``, and a change towards ``changes``, in days.
    public static let countedDays = 30

    /// The number of changes for a policy that doesn't set one: its device limit, but at least 3; `nil` if it has no
    /// device limit.
    public static func standardChanges(for limit: Int?) -> Int? { limit.map { max(3, $0) } }

    /// The devices that count towards ``DeviceAllowance/limit`` at one time, and the changes that count towards
    /// ``DeviceAllowance/changes``.
    public struct Use: Sendable, Hashable {
        /// The number of active devices.
        public let active: Int
        /// For each device that is no longer active but still counts towards the limit, the time until which it counts;
        /// `nil` for a device that counts indefinitely.
        public let recent: [Timestamp?]
        /// For each change, the time until which it counts towards ``DeviceAllowance/changes``. A change is left out as
        /// long as the device that it replaced still counts.
        public let changes: [Timestamp]

        /// Creates a value; leaves out the elements of `recent` and `changes` whose time isn't after `now`.
        public init(active: Int, recent: [Timestamp?], changes: [Timestamp] = [], at now: Timestamp) {
            self.active = active
            self.recent = recent.filter { until in until.map { $0 > now } ?? true }
            self.changes = changes.filter { $0 > now }
        }

        /// The number of devices that count towards the limit: the active ones, and those of ``recent``.
        public var deviceCount: Int { active + recent.count }
    }

    /// Why another device may not become active.
    public enum Obstacle: Sendable, Hashable {
        /// As many devices are active as the associated value, the limit, allows.
        case limitReached(Int)
        /// Another device would need more changes than are left. `limit` and `changes` are those of the allowance. At
        /// `until`, another device may become active; `nil` if that time is unknown.
        case changesUsedUp(limit: Int, changes: Int, until: Timestamp?)
    }

    /// Returns the limit if this many active devices reach it, and `nil` if another device may become active.
    public func reachedLimit(active: Int) -> Int? { limit.flatMap { active >= $0 ? $0 : nil } }

    /// Returns how many changes another device needs: the number of counted devices beyond the limit, including that
    /// device.
    public func neededChanges(after use: Use) -> Int { limit.map { max(0, use.deviceCount + 1 - $0) } ?? 0 }

    /// Returns why a device that doesn't count yet may not become active; `nil` if it may.
    public func obstacle(after use: Use) -> Obstacle? {
        if let limit = reachedLimit(active: use.active) { return .limitReached(limit) }
        let needed = neededChanges(after: use)
        guard needed > 0, let limit, let changes, needed + use.changes.count > changes else { return nil }
        // Another device may become active as soon as it needs no change, or as enough changes are left.
        let recent = use.recent.compactMap(\.self)
        let untilNoneIsNeeded = Self.end(of: needed, recent)
        let untilEnoughAreLeft = Self.end(of: needed + use.changes.count - changes, recent + use.changes)
        return .changesUsedUp(
            limit: limit, changes: changes, until: [untilNoneIsNeeded, untilEnoughAreLeft].compactMap(\.self).min())
    }

    /// Returns the time at which this number of the given end times have passed; `nil` if there are fewer of them.
    private static func end(of number: Int, _ ends: [Timestamp]) -> Timestamp? {
        number <= ends.count ? ends.sorted()[number - 1] : nil
    }
}
