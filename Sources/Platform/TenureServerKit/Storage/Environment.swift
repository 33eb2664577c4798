public import TenureCore
import TenureCrypto

/// The wall clock that all operations of the server get the current time from.
public protocol WallClock: Sendable {
    /// The current time by this clock.
    func now() -> Timestamp

    /// The reason why the clock can't be trusted; `nil` while it can be trusted.
    var doubt: ClockDoubt? { get }
}

extension WallClock {
    /// The default, `nil`: the clock is always trusted.
    public var doubt: ClockDoubt? { nil }
}

/// The source of random values, such as license keys and ids.
public struct Randomness: Sendable {
    /// Returns a new generator for one operation.
    package let generator: @Sendable () -> any RandomNumberGenerator

    /// Creates a source from a closure that returns generators, for tests that need predictable values.
    public init(_ generator: @escaping @Sendable () -> any RandomNumberGenerator) { self.generator = generator }

    /// The system's random number generator.
    public static let system = Randomness { SecureRandom() }
}
