import TenureCore
import TenureStore

/// The readings of a host's two clocks as they're stored: `BOOT WALL STEADY`, where both times are in seconds.
struct HostReading: Sendable, Hashable {
    /// The id of the host's start; monotonic times of different starts can't be compared.
    let boot: String
    let sample: ClockWatch.Sample

    init(boot: String, _ sample: ClockWatch.Sample) {
        self.boot = boot
        self.sample = sample
    }

    /// Parses a setting's value; `nil` if the setting is missing or its value isn't a reading.
    init?(_ value: [UInt8]?) {
        guard let value else { return nil }
        let parts = String(decoding: value, as: UTF8.self).split(atByte: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, let wall = Int64(parts[1]), let steady = Int64(parts[2]) else {
            return nil
        }
        self.init(boot: String(parts[0]), ClockWatch.Sample(wall: Timestamp(seconds: wall), steady: steady))
    }

    /// The row that stores the reading.
    var setting: SettingRecord {
        SettingRecord(
            name: ClockWatch.Mark.readingName, value: Array("\(boot) \(sample.wall.seconds) \(sample.steady)".utf8))
    }
}
