public import TenureCore

/// Tells the time of day; the one place a use case learns what `now` is.
public protocol WallClock: Sendable {
    /// The present moment by this clock.
    func now() -> Timestamp
}
