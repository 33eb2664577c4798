package import TenureCommandLine
package import TenureCore
import TenureStore

/// Finds and lists the licenses of a feature other than licensing, for `tenure license`.
package struct LicenseProvider: Sendable {
    /// Finds a license by the text that a user typed; `nil` if the feature has no such license.
    package let find: @Sendable (String, TenantID?, FeatureContext) async throws -> (any ProvidedLicense)?
    /// The part of `tenure license list` that lists the feature's licenses.
    package let listing: Listing
    /// The schemas of the licenses' `--json` output.
    package let outputs: Outputs

    package init(
        find: @escaping @Sendable (String, TenantID?, FeatureContext) async throws -> (any ProvidedLicense)?,
        listing: Listing, outputs: Outputs
    ) {
        self.find = find
        self.listing = listing
        self.outputs = outputs
    }

    /// The schemas of the output of `tenure license show`, `tenure license explain`, and commands that change a
    /// license.
    package struct Outputs: Sendable {
        package let shown: Schema
        package let explained: Schema
        package let changed: Schema

        package init(shown: Schema, explained: Schema, changed: Schema) {
            self.shown = shown
            self.explained = explained
            self.changed = changed
        }
    }

    /// The options of `tenure license list` that select a feature's licenses, and how they're printed.
    package struct Listing: Sendable {
        /// The options that select the feature's licenses, for the command's help page. The text continues the words
        /// "or with".
        package let words: String
        /// A command line for the examples on the help page.
        package let example: String
        /// The options that the feature adds to the command.
        package let arguments: [any DeclaredArgument]
        /// Whether the given options select the feature's licenses.
        package let isAsked: @Sendable (Parsed) -> Bool
        /// The error message if options are given that apply only to product licenses.
        package let productsAlone: String
        /// The schema of a page of the feature's licenses, as `--json` prints it.
        package let output: Schema
        /// Prints a page of the feature's licenses, as a table or as JSON.
        package let answer: @Sendable (Page, Parsed, Installation, Console) async throws -> Void

        package init(
            words: String, example: String, arguments: [any DeclaredArgument],
            isAsked: @escaping @Sendable (Parsed) -> Bool, productsAlone: String, output: Schema,
            answer: @escaping @Sendable (Page, Parsed, Installation, Console) async throws -> Void
        ) {
            self.words = words
            self.example = example
            self.arguments = arguments
            self.isAsked = isAsked
            self.productsAlone = productsAlone
            self.output = output
            self.answer = answer
        }
    }

    /// The position and the filters of the page to list.
    package struct Page: Sendable {
        package let tenants: [TenantID]
        package let state: LifecycleState?
        package let after: LicenseID?
        package let limit: Int
        package let now: Timestamp

        package init(tenants: [TenantID], state: LifecycleState?, after: LicenseID?, limit: Int, now: Timestamp) {
            self.tenants = tenants
            self.state = state
            self.after = after
            self.limit = limit
            self.now = now
        }
    }
}

/// A license that a ``LicenseProvider`` has found.
package protocol ProvidedLicense: Sendable {
    /// The license's id, by which commands find it.
    var name: String { get }
    /// The error message of commands that work only on product licenses.
    var refusal: String { get }

    /// The license as one line in a list of candidates, with its state at a time.
    func line(at now: Timestamp) -> String
    /// Prints the license with its history.
    func show(in installation: Installation, asJSON: Bool, on console: Console) async throws
    /// Prints the license's state and the remedy for every problem.
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
