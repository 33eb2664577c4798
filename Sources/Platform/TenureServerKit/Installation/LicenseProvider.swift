package import TenureCommandLine
package import TenureCore
package import TenureStore

/// What `tenure license` does with the licenses of a feature.
package struct LicenseProvider: Sendable {
    /// Finds a license by what a user typed; `nil` if the feature has none.
    package let find: @Sendable (String, TenantID?, any Store) async throws -> (any ProvidedLicense)?
    /// Lists them.
    package let section: Listing

    package init(
        find: @escaping @Sendable (String, TenantID?, any Store) async throws -> (any ProvidedLicense)?,
        section: Listing
    ) {
        self.find = find
        self.section = section
    }

    /// How `tenure license list` lists them.
    package struct Listing: Sendable {
        /// What selects them, for the command's discussion.
        package let words: String
        /// A line for the command's examples.
        package let example: String
        /// The options that select them.
        package let arguments: [any DeclaredArgument]
        /// Whether the options select them.
        package let isAsked: @Sendable (Parsed) -> Bool
        /// What is wrong with options that only licenses of products have.
        package let productsAlone: String
        /// Prints them.
        package let answer: @Sendable (Page, Parsed, Installation, Console) async throws -> Void

        package init(
            words: String, example: String, arguments: [any DeclaredArgument],
            isAsked: @escaping @Sendable (Parsed) -> Bool, productsAlone: String,
            answer: @escaping @Sendable (Page, Parsed, Installation, Console) async throws -> Void
        ) {
            self.words = words
            self.example = example
            self.arguments = arguments
            self.isAsked = isAsked
            self.productsAlone = productsAlone
            self.answer = answer
        }
    }

    /// The page that is listed.
    package struct Page: Sendable {
        package let tenant: TenantID?
        package let state: LifecycleState?
        package let after: LicenseID?
        package let limit: Int
        package let now: Timestamp

        package init(tenant: TenantID?, state: LifecycleState?, after: LicenseID?, limit: Int, now: Timestamp) {
            self.tenant = tenant
            self.state = state
            self.after = after
            self.limit = limit
            self.now = now
        }
    }
}

/// A license of another feature than licensing, as `tenure license` found it.
package protocol ProvidedLicense: Sendable {
    /// The license in a list of candidates.
    var line: String { get }
    /// Why commands that work only on licenses of products refuse it.
    var refusal: String { get }

    /// Prints the license with its history.
    func show(in installation: Installation, asJSON: Bool, on console: Console) async throws
    /// Prints its state and how to fix every problem.
    func explain(in installation: Installation, asJSON: Bool, on console: Console) async throws
    /// Performs an action, closes the store and prints the result.
    func perform(_ act: LicenseStateAction, in installation: Installation, asJSON: Bool, on console: Console)
        async throws
        -> ExitCode
}

/// An action that licenses of every feature support.
package enum LicenseStateAction: Sendable {
    case suspend, reinstate, revoke, giveBack
}
