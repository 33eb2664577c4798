public import TenureCore
import TenureCrypto

/// Public ids of activations, for everyone except the activation's own device.
///
/// An activation's id is a secret of its device: in Keylight's dialect, anyone who knows it can release the device. So
/// others see a random-looking UUID that only the master key can reverse.
///
/// It's computed from the id and not stored, so it needs no index, and activations and events of any age have one.
public struct PublicNames: Sendable {
    private let secret: [UInt8]

    /// Derives the secret from the master key's bytes.
    ///
    /// Throws the crypto library's errors.
    init(under masterKey: [UInt8]) throws(CryptoError) {
        secret = try HKDFSHA256.key(
            from: masterKey, salt: [], purpose: Array("tenure public ids of activations".utf8), length: 32)
    }

    /// The public id of an activation.
    ///
    /// It's always the same, and differs for each activation.
    public func shown(_ activation: ActivationID) -> ActivationID {
        var (left, right) = Self.halves(of: activation)
        for round in Self.rounds { (left, right) = (right, left ^ mixed(right, in: round)) }
        return Self.joined(left, right, like: activation)
    }

    /// The activation with a public id.
    public func meant(_ shown: ActivationID) -> ActivationID {
        var (left, right) = Self.halves(of: shown)
        for round in Self.rounds.reversed() { (left, right) = (right ^ mixed(left, in: round), left) }
        return Self.joined(left, right, like: shown)
    }

    /// Four rounds of a Feistel network with a pseudo-random function are a strong permutation; this has a margin.
    private static let rounds: ClosedRange<UInt8> = 1...6
    private static let halfMask: UInt64 = 1 << 61 - 1

    private func mixed(_ half: UInt64, in round: UInt8) -> UInt64 {
        let message = [round] + (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
        let code = HMACSHA256.code(of: message, under: secret)
        return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } & Self.halfMask
    }

    /// The 122 bits of a UUID without version and variant, in two halves.
    private static func halves(of id: ActivationID) -> (UInt64, UInt64) {
        let high = (id.high >> 16) << 12 | id.high & 0xFFF
        let low = id.low & 0x3FFF_FFFF_FFFF_FFFF
        return (high << 1 | low >> 61, low & halfMask)
    }

    /// Builds a UUID with the same version and variant from the halves.
    private static func joined(_ left: UInt64, _ right: UInt64, like id: ActivationID) -> ActivationID {
        let high = left >> 1
        return ActivationID(
            high: (high >> 12) << 16 | id.high & 0xF000 | high & 0xFFF,
            low: id.low & 0xC000_0000_0000_0000 | (left & 1) << 61 | right)
    }
}

extension PublicNames {
    /// An event with public ids in place of secret ones.
    public func shown(_ record: EventRecord) -> EventRecord {
        let event = record.event
        let facts = event.facts.map { fact in
            // Only this fact names an activation; other ids in facts aren't secret and must stay unchanged.
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
