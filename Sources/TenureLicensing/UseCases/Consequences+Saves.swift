package import TenureCore
import TenureServerKit
package import TenureStore

extension [Save] {
    /// What a decision about a license comes to, over what it was decided on.
    package init(
        _ consequences: Consequences, over license: License? = nil, _ activation: Activation? = nil,
        _ formerKey: FormerKey? = nil
    ) {
        self = []
        if let after = consequences.license {
            append(.put(after, over: license?.id == after.id ? license : nil))
        }
        if let after = consequences.activation {
            append(.put(after, over: activation?.id == after.id ? activation : nil))
        }
        if let after = consequences.formerKey { append(.put(after, over: formerKey)) }
        append(contentsOf: consequences.events.map(Save.event))
    }

    /// What decisions about one license come to that were made one after the other, each on what those before it left.
    package static func following(_ all: [Consequences], from stored: License?) -> [Save] {
        var license = stored
        return all.flatMap { consequences in
            defer { license = consequences.license ?? license }
            return [Save](consequences, over: license)
        }
    }
}
