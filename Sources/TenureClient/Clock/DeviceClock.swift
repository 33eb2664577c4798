/// The clocks of a device; read only at the edge.
package protocol DeviceClock: Sendable {
    /// Reads all of them at once.
    func read() -> ClockReading
}
