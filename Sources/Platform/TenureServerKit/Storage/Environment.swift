public import TenureCore
import TenureCrypto

/// Tells the time of day.
///
/// It's the only source of `now` for the server's operations.
public protocol WallClock: Sendable {
    /// The current time by this clock.
    func now() -> Timestamp

    /// Why the clock can't be trusted; `nil` while it can.
    var doubt: ClockDoubt? { get }
}

extension WallClock {
    /// Always `nil`: by default, a clock is trusted.
    public var doubt: ClockDoubt? { nil }
}

/// The source of unpredictable values, such as license keys and ids.
public struct Randomness: Sendable {
    /// Creates a new generator for each operation.
    package let generator: @Sendable () -> any RandomNumberGenerator

    /// Uses generators from a closure; for tests that need predictable values.
    public init(_ generator: @escaping @Sendable () -> any RandomNumberGenerator) { self.generator = generator }

    /// The system's random number generator.
    public static let system = Randomness { SecureRandom() }
}
