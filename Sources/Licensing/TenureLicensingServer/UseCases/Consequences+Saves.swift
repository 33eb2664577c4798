package import TenureCore
package import TenureLicensing
import TenureServerKit
package import TenureStore

extension [RowWrite] {
    /// The writes of one decision about a license, given the rows that it was based on.
    package init(
        _ consequences: Consequences, over license: License? = nil, _ activation: Activation? = nil,
        activations: [Activation] = [], formerKeys: [FormerKey] = []
    ) {
        self = []
        reserveCapacity(3 + consequences.events.count)
        if let after = consequences.license {
            append(.put(after, over: license?.id == after.id ? license : nil))
        }
        if let after = consequences.activation {
            append(.put(after, over: activation?.id == after.id ? activation : nil))
        }
        if !consequences.activations.isEmpty {
            let stored = Dictionary(activations.map { ($0.id, $0) }) { first, _ in first }
            for after in consequences.activations { append(.put(after, over: stored[after.id])) }
        }
        for after in consequences.formerKeys {
            append(.put(after, over: formerKeys.first { $0.hash == after.hash }))
        }
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

extension [RowWrite] {
    /// The writes that end the links and sessions of a license's page, if one of the decisions about it ends them.
    package static func ending(
        _ credentials: [LicenseCredential], of before: License, after consequences: [Consequences], at now: Timestamp
    ) -> [RowWrite] {
        guard consequences.contains(where: { $0.endSessions(of: before) }) else { return [] }
        return credentials.filter { $0.works(at: now) }.map { .replace($0, by: $0.ended(at: now)) }
    }
}
