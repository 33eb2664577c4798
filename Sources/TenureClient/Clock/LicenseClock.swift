/// Where a manager reads the time.
public struct LicenseClock: Sendable {
    package let clock: any DeviceClock

    /// Reads another clock; for tests.
    package init(_ clock: any DeviceClock) { self.clock = clock }

    /// The system's clocks, which every app that is shipped uses.
    public static let system = LicenseClock(SystemDeviceClock())

    /// The system's clocks, moved on by the seconds that a file holds; for trying out together with a server that runs
    /// with `--clock FILE`.
    ///
    /// A second file, `FILE.error`, may hold by how many seconds the wall clock alone is wrong.
    public static func virtual(file: String) -> LicenseClock { LicenseClock(VirtualDeviceClock(path: file)) }
}
