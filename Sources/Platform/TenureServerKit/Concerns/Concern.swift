package import TenureCommandLine
package import TenureCore
package import TenureStore

/// What may need the operator's attention in a feature, as `tenure doctor` checks it.
package struct Concern: Sendable {
    /// When a check runs. In each stage, checks of later features come first.
    package enum Stage: Sendable {
        /// After the store's own checks.
        case records
        /// After the master key, which the decrypted catalog needs.
        case keys
    }

    package let stage: Stage
    /// How the command's summary names what is checked; `nil` if it doesn't.
    package let title: String?
    /// The options of `tenure doctor` that the check reads.
    package let arguments: [any DeclaredArgument]
    /// Runs the check; its findings appear in this order.
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
    package let place: StoreLocation
    package let now: Timestamp
    /// The arguments of the command.
    package let arguments: Parsed
    /// The catalog with decrypted keys; `nil` before that stage, and if the master key is missing or wrong.
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
