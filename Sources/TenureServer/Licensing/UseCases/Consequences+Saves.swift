import TenureCore
import TenureStore

extension [Save] {
    /// What a decision about a license comes to, over what it was decided on.
    init(_ consequences: Consequences, over license: License? = nil, _ activation: Activation? = nil) {
        self = []
        if let after = consequences.license {
            append(.put(after, over: license?.id == after.id ? license : nil))
        }
        if let after = consequences.activation {
            append(.put(after, over: activation?.id == after.id ? activation : nil))
        }
        append(contentsOf: consequences.events.map(Save.event))
    }

    /// What decisions about one license come to that were made one after the other, each on what those before it left.
    static func following(_ all: [Consequences], from stored: License?) -> [Save] {
        var license = stored
        return all.flatMap { consequences in
            defer { license = consequences.license ?? license }
            return [Save](consequences, over: license)
        }
    }

    /// What a decision about app licenses comes to, over what it was decided on.
    init(_ consequences: AppConsequences, over licenses: [AppLicense] = [], _ grant: AppGrant? = nil) {
        self = consequences.licenses.map { after in .put(after, over: licenses.first { $0.id == after.id }) }
        if let after = consequences.grant { append(.put(after, over: grant)) }
        append(contentsOf: consequences.events.map(Save.event))
    }
}

extension Save {
    /// What is recorded in the transaction of the change that it records.
    static func event(_ event: Event) -> Save { .append(EventRecord(sequence: 0, event: event)) }
}
