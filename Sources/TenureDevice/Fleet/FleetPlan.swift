import Foundation

/// Who joins when, who is online when, who launches the app when, and when the server answers: a pure function of a
/// seed, so that the same fleet can live twice under different rules.
///
/// Days count from 0. Offline days come in spells of one day to two weeks, as journeys and flat batteries do.
package struct FleetPlan: Sendable, Hashable {
    /// How many devices.
    package let count: Int
    /// How many days.
    package let days: Int
    /// Makes the fleet what it is.
    package let seed: UInt64
    /// The share of days on which a device is offline, 0..<1.
    package let offlineShare: Double
    /// The days on which the server does not answer.
    package let outage: Range<Int>

    /// Plans a fleet.
    package init(count: Int, days: Int, seed: UInt64, offlineShare: Double, outage: Range<Int>) {
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

    /// Whether the server answers on a day.
    package func isServerUp(on day: Int) -> Bool { !outage.contains(day) }

    /// Whether a device is online on a day.
    package func isOnline(_ device: Int, on day: Int) -> Bool {
        for start in day - (Self.spells.max() ?? 1) + 1...day {
            let draw = draw(.spell, device, start)
            guard draw.unit < spellChance else { continue }
            if start + Self.spells[Int(self.draw(.length, device, start) % UInt64(Self.spells.count))] > day {
                return false
            }
        }
        return true
    }

    /// Whether a device can be helped on a day: it is online, and the server answers.
    package func canAsk(_ device: Int, on day: Int) -> Bool { isServerUp(on: day) && isOnline(device, on: day) }

    /// The day on which a person wants the app: within the first month, or the first quarter of a shorter plan.
    package func joinDay(_ device: Int) -> Int {
        Int(draw(.join, device, 0) % UInt64(max(1, min(30, days / 4))))
    }

    /// When the app is launched on a day: seconds from its start, in order; none to three times.
    package func launches(_ device: Int, on day: Int) -> [Int64] {
        let times = [0, 1, 1, 1, 2, 2, 2, 3][Int(draw(.launches, device, day) % 8)]
        return (0..<times).map { Int64(draw(.hour, device, day &* 4 &+ $0) % 86_400) }.sorted()
    }

    private enum Stream: UInt64 {
        case spell, length, join, launches, hour
    }

    /// A number drawn for one purpose, device and day, whatever was drawn before.
    private func draw(_ stream: Stream, _ device: Int, _ day: Int) -> UInt64 {
        let words = [stream.rawValue, UInt64(bitPattern: Int64(device)), UInt64(bitPattern: Int64(day))]
        return words.reduce(seed.mixed) { ($0 ^ $1.mixed).mixed }
    }
}

extension UInt64 {
    /// SplitMix64's step: every bit of the answer depends on every bit of the number.
    fileprivate var mixed: UInt64 {
        var mixed = self &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    fileprivate var unit: Double { Double(self >> 11) / Double(1 << 53) }
}
