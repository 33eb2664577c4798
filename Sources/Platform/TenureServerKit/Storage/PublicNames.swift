public import TenureCore
import TenureCrypto

/// Converts activations' secret ids to public ids and back.
///
/// An activation's id is a secret of its device: in Keylight's dialect, anyone who knows the id can release the
/// device. All other clients see a public id, which is a UUID that looks random. Only the store's secret converts it
/// back (``StoreSecrets``).
///
/// A public id is computed from the secret id and isn't stored. So it needs no index, and even the oldest activations
/// and events have a public id.
public struct PublicNames: Sendable {
    private let secret: [UInt8]

    /// Creates the conversion from a secret of 32 random bytes.
    package init(secret: [UInt8]) { self.secret = secret }

    /// Returns the public id of an activation.
    ///
    /// An activation always has the same public id, and no two activations share a public id.
    public func shown(_ activation: ActivationID) -> ActivationID {
        var (left, right) = Self.halves(of: activation)
        for round in Self.rounds { (left, right) = (right, left ^ mixed(right, in: round)) }
        return Self.joined(left, right, like: activation)
    }

    /// Returns the secret id of the activation with a public id.
    public func meant(_ shown: ActivationID) -> ActivationID {
        var (left, right) = Self.halves(of: shown)
        for round in Self.rounds.reversed() { (left, right) = (right ^ mixed(left, in: round), left) }
        return Self.joined(left, right, like: shown)
    }

    /// A Feistel network with a pseudo-random function needs four rounds to be a strong pseudo-random permutation. Two
    /// more are a safety margin.
    private static let rounds: ClosedRange<UInt8> = 1...6
    private static let halfMask: UInt64 = 1 << 61 - 1

    private func mixed(_ half: UInt64, in round: UInt8) -> UInt64 {
        let message = [round] + (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
        let code = HMACSHA256.code(of: message, under: secret)
        return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } & Self.halfMask
    }

    /// The two halves, 61 bits each, of a UUID without its version and variant bits.
    private static func halves(of id: ActivationID) -> (UInt64, UInt64) {
        let high = (id.high >> 16) << 12 | id.high & 0xFFF
        let low = id.low & 0x3FFF_FFFF_FFFF_FFFF
        return (high << 1 | low >> 61, low & halfMask)
    }

    /// Builds a UUID from two halves, with the version and variant bits of another UUID.
    private static func joined(_ left: UInt64, _ right: UInt64, like id: ActivationID) -> ActivationID {
        let high = left >> 1
        return ActivationID(
            high: (high >> 12) << 16 | id.high & 0xF000 | high & 0xFFF,
            low: id.low & 0xC000_0000_0000_0000 | (left & 1) << 61 | right)
    }
}

extension PublicNames {
    /// Returns an event with public ids instead of activations' secret ids.
    public func shown(_ record: EventRecord) -> EventRecord {
        let event = record.event
        let facts = event.facts.map { fact in
            // Only this fact contains an activation's id. Other ids in facts aren't secret and stay unchanged.
            guard fact.name == "askedFrom", case .text(let text) = fact.value, let id = ActivationID(text: text)
            else { return fact }
            return Reason.Evidence(fact.name, .text(shown(id).description))
        }
        return EventRecord(
            sequence: record.sequence,
            event: Event(
                event.kind, at: event.at, actor: event.actor,
                about: event.subject.with(activation: event.subject.activation.map { shown($0) }), facts: facts))
    }
}
