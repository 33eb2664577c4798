/// What is remembered about time.
package struct ClockMarks: Sendable, Hashable, Codable {
    /// How far a clock may stand back before it counts as set back, in seconds (`spec/keylight.md` §1.4).
    package static let tolerance: Int64 = 3_600
}
