package import TenureCommandLine
package import TenureCore
package import TenureStore

/// A check that a feature adds to `tenure doctor`, for problems that need the operator's attention.
package struct Concern: Sendable {
    /// The time at which a check runs.
    ///
    /// In each stage, checks of later features run first.
    package enum Stage: Sendable {
        /// The check runs after the store's own checks.
        case records
        /// The check runs after the check of the master key, when the catalog has been decrypted, unless the key is
        /// missing or wrong.
        case keys
    }

    package let stage: Stage
    /// The subject of the check, for the one-line description of `tenure doctor`; `nil` to omit it.
    package let title: String?
    /// The options that the check adds to `tenure doctor`.
    package let arguments: [any DeclaredArgument]
    /// Runs the check; the findings are printed in the returned order.
    package let check: @Sendable (ConcernContext) async -> [Finding]

    package init(
        after stage: Stage, title: String? = nil, arguments: [any DeclaredArgument] = [],
        check: @escaping @Sendable (ConcernContext) async -> [Finding]
    ) {
        self.stage = stage
        self.title = title
        self.arguments = arguments
        self.check = check
    }
}

/// The installation that `tenure doctor` checks.
package struct ConcernContext: Sendable {
    package let features: FeatureSet
    package let store: any Store
    package let location: StoreLocation
    package let now: Timestamp
    /// The arguments of `tenure doctor`.
    package let arguments: Parsed
    /// The catalog with decrypted keys; `nil` before the stage `keys`, and if the master key is missing or wrong.
    package internal(set) var catalog: CatalogSnapshot?
}

extension FeatureSet {
    /// Runs the checks of a stage.
    func findings(at stage: Concern.Stage, in context: ConcernContext) async -> [Finding] {
        var findings: [Finding] = []
        for concern in all.reversed().flatMap(\.concerns) where concern.stage == stage {
            findings += await concern.check(context)
        }
        return findings
    }
}
