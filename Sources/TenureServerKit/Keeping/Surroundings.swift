public import TenureCore
import TenureCrypto

/// Tells the time of day; the one place a use case learns what `now` is.
public protocol WallClock: Sendable {
    /// The present moment by this clock.
    func now() -> Timestamp

    /// Why the moment is not to be trusted; nil while it is.
    var doubt: ClockDoubt? { get }
}

extension WallClock {
    /// None.
    public var doubt: ClockDoubt? { nil }
}

/// Where the server takes from what nobody may guess: license keys and ids.
public struct Randomness: Sendable {
    /// Makes what the server draws from, anew for each thing that it does.
    package let generator: @Sendable () -> any RandomNumberGenerator

    /// Draws from generators of these; for tests, which want to know what comes.
    public init(_ generator: @escaping @Sendable () -> any RandomNumberGenerator) { self.generator = generator }

    /// The system's own.
    public static let system = Randomness { SecureRandom() }
}
