public import TenureContent
import TenureCore
public import TenureStore

extension Enrolment.Device {
    /// The stored codes of a device's state; never change them.
    enum Code: String, StorableCode {
        case active
        case recent
        case ended
        case inactive
    }

    fileprivate var code: Code {
        switch state {
        case .active: .active
        case .recent(.nothing): .ended
        case .recent: .recent
        case .inactive: .inactive
        }
    }

    fileprivate static func state(_ code: Code, _ until: Timestamp?) -> State {
        switch code {
        case .active: .active
        case .recent: .recent(until.map { .until($0) } ?? .unlimited)
        case .ended: .recent(.nothing)
        case .inactive: .inactive
        }
    }
}

extension Enrolment.Device: Stored {
    /// The devices of enrolments, including those that no longer count.
    ///
    /// `counts_until` is null for a device in the state `recent` that counts towards the device limit without an end.
    public static let table = Table<Enrolment.Device>(
        "enrolment_devices", key: ["enrolment_id", "device"],
        [
            Field("enrolment_id") { $0.enrolment }, Field("device") { $0.device }, Field("state") { $0.code },
            Field("counts_until") { $0.until },
        ],
        foreignKeys: [ForeignKey("enrolment_id", to: Enrolment.self)]
    ) { row in
        Enrolment.Device(
            enrolment: try row.next(), device: try row.next(), state: state(try row.next(), try row.next()))
    }

    /// The devices of an enrolment.
    public static let ofEnrolment = table.set("of_enrolment", "enrolment_id")
}

extension Enrolment.DeviceChange: Stored {
    /// The replacements of devices that might still have been able to play.
    public static let table = Table<Enrolment.DeviceChange>(
        "enrolment_device_changes", key: ["enrolment_id", "at", "device"],
        [Field("enrolment_id") { $0.enrolment }, Field("at") { $0.at }, Field("device") { $0.device }],
        foreignKeys: [ForeignKey("enrolment_id", to: Enrolment.self)],
        indexes: [TableIndex("by_age", "at")]
    ) { row in
        let (enrolment, at): (EnrolmentID, Timestamp) = (try row.next(), try row.next())
        return Enrolment.DeviceChange(enrolment: enrolment, device: try row.next(), at: at)
    }

    /// The changes of an enrolment, latest first.
    public static let ofEnrolment = table.set("of_enrolment", "enrolment_id", order: [.down("at"), .down("device")])
    /// All changes, oldest first.
    public static let byAge = table.set("by_age", order: [.up("at")])
}
