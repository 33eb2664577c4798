import Glibc

/// The behaviour of a fleet as a pure function of a seed, so that the same fleet can run under different rules.
///
/// The plan determines when each device joins, is online and launches the app, and when the server is up. Days count
/// from 0. Devices are offline for one day to two weeks at a time, as during journeys.
struct FleetPlan: Sendable, Hashable {
    /// The number of devices in the fleet.
    let count: Int
    /// How many days the simulation covers.
    let days: Int
    /// The random seed; the same seed gives the same behaviour.
    let seed: UInt64
    /// The share of days on which a device is offline, from 0 to less than 1.
    let offlineShare: Double
    /// The days on which the server is down, counted from 0.
    let outage: Range<Int>

    init(count: Int, days: Int, seed: UInt64, offlineShare: Double, outage: Range<Int>) {
        self.count = count
        self.days = days
        self.seed = seed
        self.offlineShare = offlineShare
        self.outage = outage
        let mean = Double(Self.spells.reduce(0, +)) / Double(Self.spells.count)
        spellChance = -log(1 - min(max(offlineShare, 0), 0.99)) / mean
    }

    private let spellChance: Double
    private static let spells = [1, 1, 1, 1, 2, 2, 3, 4, 7, 14]

    func isServerUp(on day: Int) -> Bool { !outage.contains(day) }

    func isOnline(_ device: Int, on day: Int) -> Bool {
        for start in day - (Self.spells.max() ?? 1) + 1...day {
            let draw = draw(.spell, device, start)
            guard draw.unit < spellChance else { continue }
            if start + Self.spells[Int(self.draw(.length, device, start) % UInt64(Self.spells.count))] > day {
                return false
            }
        }
        return true
    }

    /// Whether a device can reach the server on a day.
    func canAsk(_ device: Int, on day: Int) -> Bool { isServerUp(on: day) && isOnline(device, on: day) }

    /// The day on which the device gets the app: one of the first 30 days, or of the plan's first quarter if that is
    /// shorter.
    func joinDay(_ device: Int) -> Int {
        Int(draw(.join, device, 0) % UInt64(max(1, min(30, days / 4))))
    }

    /// The times of a day at which the app is launched, in seconds since midnight; none to three, in ascending order.
    func launches(_ device: Int, on day: Int) -> [Int64] {
        let times = [0, 1, 1, 1, 2, 2, 2, 3][Int(draw(.launches, device, day) % 8)]
        return (0..<times).map { Int64(draw(.hour, device, day &* 4 &+ $0) % 86_400) }.sorted()
    }

    private enum Stream: UInt64 {
        case spell, length, join, launches, hour
    }

    /// A random number that depends only on its purpose, the device and the day.
    private func draw(_ stream: Stream, _ device: Int, _ day: Int) -> UInt64 {
        let words = [stream.rawValue, UInt64(bitPattern: Int64(device)), UInt64(bitPattern: Int64(day))]
        return words.reduce(seed.mixed) { ($0 ^ $1.mixed).mixed }
    }
}

extension UInt64 {
    /// SplitMix64's step: every bit of the result depends on every bit of the number.
    fileprivate var mixed: UInt64 {
        var mixed = self &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    fileprivate var unit: Double { Double(self >> 11) / Double(1 << 53) }
}
