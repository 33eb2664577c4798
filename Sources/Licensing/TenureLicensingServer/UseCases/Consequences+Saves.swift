import TenureCore
package import TenureLicensing
import TenureServerKit
package import TenureStore

extension [RowWrite] {
    /// The writes of one decision about a license, given the rows that it was based on.
    package init(
        _ consequences: Consequences, over license: License? = nil, _ activation: Activation? = nil,
        _ formerKey: FormerKey? = nil
    ) {
        self = []
        reserveCapacity(3 + consequences.events.count)
        if let after = consequences.license {
            append(.put(after, over: license?.id == after.id ? license : nil))
        }
        if let after = consequences.activation {
            append(.put(after, over: activation?.id == after.id ? activation : nil))
        }
        if let after = consequences.formerKey { append(.put(after, over: formerKey)) }
        for event in consequences.events { append(.event(event)) }
    }

    /// The writes of successive decisions about one license, each based on the license that the previous one produced.
    package static func following(_ all: [Consequences], from stored: License?) -> [RowWrite] {
        var license = stored
        return all.flatMap { consequences in
            defer { license = consequences.license ?? license }
            return [RowWrite](consequences, over: license)
        }
    }
}
