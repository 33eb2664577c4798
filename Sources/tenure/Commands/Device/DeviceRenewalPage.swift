import TenureCommandLine
import TenureCore
import TenureDevice
import TenureFormats

extension DeviceSession.Renewal {
    /// A line for each app.
    func lines(at now: Timestamp) -> [String] {
        renewed.map { "renewed \($0.name) \($0.endWords(at: now))" }
            + ineligible.map { "not renewed: \($0.name); it does not launch any more" }
            + unanswered.map { "no answer for \($0.name)" }
    }

    /// Whether everything that was asked for was renewed.
    var isWhole: Bool { ineligible.isEmpty && unanswered.isEmpty }
}

extension JSONObjectWriter {
    /// What a renewal brought.
    mutating func renewal(_ renewal: DeviceSession.Renewal, at now: Timestamp) {
        for (name, apps) in [
            ("renewed", renewal.renewed), ("ineligible", renewal.ineligible), ("unanswered", renewal.unanswered),
        ] {
            array(name) { list in
                for app in apps { list.object { $0.app(app, at: now) } }
            }
        }
    }
}
