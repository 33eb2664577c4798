import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The licenses that a command acts on: one or several that the user names, or all of an order.
struct LicenseSelection {
    private static let names: Argument<[String]> = .positionals(
        "LICENSE",
        "License keys, license ids, masked keys, the last four characters of keys, e-mail addresses, order references "
            + "or numbers of app licenses; - reads one from standard input. " + LicenseReference.certainty,
        as: .text)
    private static let order: Argument<String?> = .optional(
        "order", "TEXT", "In place of LICENSE: all licenses with this reference of an order.", as: .text)
    private static let isSure = Argument.flag("yes", "Don't ask before acting on several licenses.")

    /// The arguments of a command that acts on several licenses.
    static let arguments: [any DeclaredArgument] =
        [names, order, isSure, SharedOptions.tenant, SharedOptions.product] + SharedOptions.installation

    /// The help text for commands with these arguments.
    static let discussion = """
        Several licenses are listed and confirmed first; without a terminal, give --yes. If one of the names is wrong, \
        nothing is done. With --json, each license is a line.
        """

    /// The question to a person before an act on several licenses.
    struct Question {
        /// The act as an imperative, such as `Revoke`.
        let verb: String
        /// The act as a participle, such as `revoked`.
        let done: String
        /// A warning before the act; empty for none.
        var warning = ""
    }

    /// The licenses of products, without duplicates.
    let products: [License]
    /// The licenses of other features, without duplicates.
    let others: [any ProvidedLicense]

    /// Finds the licenses and, if there are several, asks whether to act on them all.
    ///
    /// - Parameter question: Returns what to ask about the licenses of products.
    static func choose(
        _ arguments: Parsed, in installation: Installation, _ console: Console,
        asking question: ([License]) throws -> Question
    ) async throws -> LicenseSelection {
        let selection = try await find(arguments, in: installation, console)
        let count = selection.products.count + selection.others.count
        guard count > 1, !arguments[isSure] else { return selection }
        let question = try question(selection.products)
        if console.canAsk {
            let found =
                selection.products.map(LicenseReference.Found.product)
                + selection.others.map(LicenseReference.Found.other)
            for license in found.prefix(mostListed) { console.note("  \(license.line(at: installation.clock.now()))") }
            if count > mostListed { console.note("  and \(count - mostListed) more") }
        }
        try console.confirm(
            "\(question.verb) these \(count) licenses?\(question.warning.isEmpty ? "" : " " + question.warning)",
            orElse: "Nothing was \(question.done): \(count) licenses match.")
        return selection
    }

    /// Whether the user has confirmed the command beforehand.
    static func isSure(_ arguments: Parsed) -> Bool { arguments[isSure] }

    /// Throws ``UsageError`` unless the user names either licenses or an order.
    static func check(_ arguments: Parsed) throws(UsageError) {
        if arguments[order] == nil {
            guard !arguments[names].isEmpty else { throw UsageError("LICENSE is missing") }
        } else {
            guard arguments[names].isEmpty else { throw UsageError("give LICENSE or --order, not both") }
        }
    }

    private static let mostListed = 100

    private static func find(
        _ arguments: Parsed, in installation: Installation, _ console: Console
    ) async throws -> LicenseSelection {
        guard let order = arguments[order] else { return try await named(arguments, in: installation, console) }
        let found = try await licenses(
            ofOrder: order, arguments[SharedOptions.tenant], arguments[SharedOptions.product],
            in: ServerStore(installation.store))
        let tenants = Set(found.map(\.product.tenant)).sorted()
        if tenants.count > 1 {
            throw CommandError(
                "Several tenants have an order \(order.printable): \(tenants.map(\.text).joined(separator: ", ")). "
                    + "Choose one with --tenant.")
        }
        if found.isEmpty {
            throw CommandError(
                "No license has the order reference \(order.printable). Run `tenure license show` with a part of what "
                    + "the customer says to find a license.")
        }
        return LicenseSelection(products: found, others: [])
    }

    /// The licenses with exactly this reference of an order, otherwise those whose references differ only in spelling.
    private static func licenses(
        ofOrder order: String, _ tenant: TenantID?, _ product: ProductID?, in store: ServerStore
    ) async throws(ServerError) -> [License] {
        let tenants = if let tenant { [tenant] } else { try await store.all(TenantRow.table.all).map(\.id) }
        var found: [License] = []
        for tenant in tenants {
            found += try await store.all(License.ofOrder, [.of(tenant), .of(FoldedText(order))])
        }
        if let product { found.removeAll { $0.product.product != product } }
        let exact = found.filter { $0.terms.order == order }
        return exact.isEmpty ? found : exact
    }

    private static func named(
        _ arguments: Parsed, in installation: Installation, _ console: Console
    ) async throws -> LicenseSelection {
        var (products, others): ([License], [any ProvidedLicense]) = ([], [])
        for name in arguments[names] {
            switch try await LicenseReference.findAny(name, arguments, in: installation, console: console) {
            case .product(let license):
                if !products.contains(where: { $0.id == license.id }) { products.append(license) }
            case .other(let license):
                if !others.contains(where: { $0.name == license.name }) { others.append(license) }
            }
        }
        return LicenseSelection(products: products, others: others)
    }
}
