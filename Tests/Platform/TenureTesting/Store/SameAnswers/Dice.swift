import TenureCore
import TenureLicensing

/// Random numbers that a seed determines.
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: Int) { state = Self.mixed(UInt64(truncatingIfNeeded: seed)) }

    package mutating func next() -> UInt64 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var word = number
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// Returns a number from 1 to `highest`.
    mutating func upTo(_ highest: Int) -> Int { Int.random(in: 1...highest, using: &self) }

    /// Returns true with a probability of one in `times`.
    mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    /// Returns one of the values.
    mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
        let index = Int.random(in: 0...others.count, using: &self)
        return index == 0 ? first : others[index - 1]
    }
}

// Ids and values from small sets, so that changes affect the same rows.
extension Dice {
    mutating func tenant() -> TenantID { pick(Sample.acme, Sample.acme, Sample.bolt) }
    mutating func product() -> ProductRef { pick(Sample.notes, Sample.draw, Sample.boltNotes) }
    mutating func policy() -> PolicyID { pick(Sample.pro, Sample.team) }
    mutating func item() -> AppleItemID { pick(Sample.game, Sample.chess) }
    mutating func version() -> AppleVersionID { pick(Sample.firstVersion, Sample.secondVersion) }
    mutating func account() -> AccountRef {
        AccountRef(tenant: tenant(), account: Sample.account(pick("ada", "Ada", "bob")))
    }
    mutating func hash(_ highest: Int) -> Digest { Sample.hash(upTo(highest)) }
    mutating func license(_ highest: Int = 5) -> LicenseID { Sample.id(Int64(upTo(highest))) }
    mutating func moment() -> Timestamp { Sample.now.adding(days: upTo(5)) }
    mutating func end() -> Timestamp? { once(in: 2) ? nil : moment() }
    mutating func term() -> Term {
        guard let term = Term(start: Sample.now, end: end()) else {
            preconditionFailure("a term ends before it starts")
        }
        return term
    }
    mutating func identity() -> DeviceIdentity { pick(.machine("a"), .machine("b"), .anonymous) }
    mutating func system() -> DeviceSystem? {
        DeviceSystem(name: pick(nil, "macOS", "Ubuntu"), version: pick(nil, "15.1", "24.04"))
    }
    mutating func blob() -> [UInt8] { [UInt8](repeating: UInt8(upTo(3)), count: upTo(3) - 1) }
}
