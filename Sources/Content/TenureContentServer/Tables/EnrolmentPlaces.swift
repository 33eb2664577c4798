public import TenureContent
import TenureCore
public import TenureStore

extension Enrolment.Place {
    /// The stored codes of an activation's state; never change them.
    enum Code: String, StorableCode {
        case taken = "taken"
        case held = "held"
        case over = "over"
        case free = "free"
    }

    fileprivate var code: Code {
        switch state {
        case .taken: .taken
        case .held(.nothing): .over
        case .held: .held
        case .free: .free
        }
    }

    fileprivate static func state(_ code: Code, _ until: Timestamp?) -> State {
        switch code {
        case .taken: .taken
        case .held: .held(until.map { .until($0) } ?? .unlimited)
        case .over: .held(.nothing)
        case .free: .free
        }
    }
}

extension Enrolment.Place: Stored {
    /// The activations of devices in enrolments, including returned ones.
    ///
    /// An activation that is held without an end has no time in `held_until`.
    public static let table = Table<Enrolment.Place>(
        "enrolment_places", key: ["enrolment_id", "device"],
        [
            Field("enrolment_id") { $0.enrolment }, Field("device") { $0.device }, Field("state") { $0.code },
            Field("held_until") { $0.heldUntil },
        ],
        foreignKeys: [ForeignKey("enrolment_id", to: Enrolment.self)]
    ) { row in
        Enrolment.Place(
            enrolment: try row.next(), device: try row.next(), state: state(try row.next(), try row.next()))
    }

    /// The activations of an enrolment.
    public static let ofEnrolment = table.set("of_enrolment", "enrolment_id")
}

extension Enrolment.EarlyTaking: Stored {
    /// Activations that another device took over before the licenses on the first device had ended.
    public static let table = Table<Enrolment.EarlyTaking>(
        "early_takings", key: ["enrolment_id", "at", "device"],
        [Field("enrolment_id") { $0.enrolment }, Field("at") { $0.at }, Field("device") { $0.device }],
        foreignKeys: [ForeignKey("enrolment_id", to: Enrolment.self)],
        indexes: [TableIndex("by_age", "at")]
    ) { row in
        let (enrolment, at): (EnrolmentID, Timestamp) = (try row.next(), try row.next())
        return Enrolment.EarlyTaking(enrolment: enrolment, device: try row.next(), at: at)
    }

    /// The early transfers of an enrolment, latest first.
    public static let ofEnrolment = table.set("of_enrolment", "enrolment_id", order: [.down("at"), .down("device")])
    /// All early transfers, oldest first.
    public static let byAge = table.set("by_age", order: [.up("at")])
}
