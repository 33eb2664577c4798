package import TenureCommandLine
import TenureCore
package import TenureLicensing
package import TenureServerKit
import TenureStore

/// The argument that names a license; `-` reads it from standard input.
package struct LicenseReference {
    /// The argument of a command that only shows a license.
    static let argument = argument(for: .showing)

    /// The argument of a command that changes a license.
    static let certainArgument = argument(for: .acting)

    private static func argument(for purpose: Purpose) -> Argument<String> {
        .positional("LICENSE", ways + (purpose == .acting ? " " + certainty : ""), as: .text)
    }

    private static let ways =
        "A license key, a license id, a masked key, the last four characters of a key, an e-mail address or its beginning, an order reference, or the number of an app license; - reads it from standard input, which keeps it out of the shell's history."

    /// The help text that says how exactly the user must name the licenses that a command changes.
    static let certainty =
        "Only a whole key, an id, or a masked key of a single license is certain: for anything else, the command asks at a terminal, and without one it does nothing and lists the matches."

    /// The arguments of every command that shows a license.
    static let arguments = arguments(argument)

    /// The arguments of every command that changes a license.
    package static let certainArguments = arguments(certainArgument)

    private static func arguments(_ license: Argument<String>) -> [any DeclaredArgument] {
        [license, SharedOptions.tenant, SharedOptions.product] + SharedOptions.installation
    }

    /// Why a command looks up a license, which determines how exactly the license must be named.
    package enum Purpose {
        /// The command only shows something, so a single match suffices.
        case showing
        /// The command changes something: a part of a name isn't enough, even if only one license matches.
        case acting
    }

    /// A license of a product, or of another feature.
    enum Found {
        case product(License)
        case other(any ProvidedLicense)

        /// A line in a list of candidates, with the state at this time.
        func line(at now: Timestamp) -> String {
            switch self {
            case .product(let license):
                ([
                    license.id.description, "\(license.product)/\(license.policy)", license.key.masked,
                    license.state(at: now).rawValue,
                ]
                    + [license.term.end.map { "ends \($0.local)" }, license.terms.holder, license.terms.order]
                    .compactMap(\.self)).joined(separator: "  ")
            case .other(let license): license.line(at: now)
            }
        }
    }

    /// Finds the named product license, for commands that licenses of other features don't support.
    package static func find(
        _ arguments: Parsed, in installation: Installation, console: Console, for purpose: Purpose = .acting
    ) async throws -> License {
        switch try await findAny(arguments, in: installation, console: console, for: purpose) {
        case .product(let license): return license
        case .other(let license): throw CommandError(license.refusal)
        }
    }

    /// Finds the named license.
    ///
    /// If several match, or if the match isn't certain enough, a person at a terminal is asked. Otherwise it throws,
    /// with the candidates or with a remedy.
    static func findAny(
        _ arguments: Parsed, in installation: Installation, console: Console, for purpose: Purpose = .acting
    ) async throws -> Found {
        try await findAny(arguments[argument], arguments, in: installation, console: console, for: purpose)
    }

    /// Finds the license that a text names, within the tenant and product of the arguments.
    static func findAny(
        _ named: String, _ arguments: Parsed, in installation: Installation, console: Console,
        for purpose: Purpose = .acting
    ) async throws -> Found {
        let text = try text(named, console)
        let tenant = arguments[SharedOptions.tenant]
        let product = arguments[SharedOptions.product]
        let lookUp = try await installation.store.lookUpLicenses(text, tenant: tenant, product: product)
        var found = lookUp.licenses.map(Found.product)
        var isCertain = lookUp.isCertain
        for key in lookUp.replacedKeys {
            let license = lookUp.licenses.first { $0.id == key.key.license }
            console.note(key.sentence(of: license))
        }
        for provider in installation.features.all.compactMap(\.licenses) where product == nil {
            if let license = try await provider.find(text, tenant, installation.context) {
                // The number of an app license is an exact match, so partial matches among keys and holders are
                // dropped.
                found = isCertain ? found + [.other(license)] : [.other(license)]
                isCertain = true
            }
        }
        guard let first = found.first else {
            throw CommandError(try await nothing(text, tenant, product, in: installation.store))
        }
        if found.count == 1, isCertain || purpose == .showing { return first }
        let isAsked = named != "-" && console.canAsk
        let now = installation.clock.now()
        guard isAsked else { throw CommandError(choice(found, isCertain, at: now)) }
        return try choose(found, console, at: now)
    }

    /// The text itself, or a line of standard input in place of `-`.
    private static func text(_ named: String, _ console: Console) throws -> String {
        guard named == "-" else { return named }
        guard let line = console.readInputLine(), !line.isEmpty else {
            throw CommandError("Standard input contains no license key or id.")
        }
        return line
    }

    /// The error text that asks for a more exact name, with the licenses that match.
    static func choice(_ found: [Found], _ isCertain: Bool, at now: Timestamp) -> String {
        let list = found.map { "\n  " + $0.line(at: now).printable }.joined()
        if found.count == 1 {
            return "One license matches, but not by its whole key. To act on it, name it by its id:" + list
        }
        let more = found.count < LicenseLookUp.limit ? "" : "\n  and possibly more"
        return "Several licenses match; choose one by its id" + (isCertain ? ", or with --tenant and --product:" : ":")
            + list + more
    }

    private static func choose(_ found: [Found], _ console: Console, at now: Timestamp) throws -> Found {
        for (index, license) in found.enumerated() { console.note("\(index + 1)  \(license.line(at: now))") }
        let isOne = found.count == 1
        let question =
            isOne
            ? "Is it this license? Type yes to continue: " : "Which license? 1 to \(found.count), or nothing to stop: "
        let answer = console.prompt(question)?.lowercased() ?? ""
        let number = isOne && ["y", "yes"].contains(answer) ? 1 : Int(answer)
        guard let number, found.indices.contains(number - 1) else {
            throw CommandError("No license was chosen; nothing was done.")
        }
        return found[number - 1]
    }

    /// Why nothing was found, and what to try.
    static func nothing(
        _ text: String, _ tenant: TenantID?, _ product: ProductID?, in store: any Store
    ) async throws -> String {
        guard try await !store.list(Listing(License.table.all, limit: 1)).isEmpty else {
            return "This store has no licenses yet. Run `tenure license issue` to issue one, or `tenure apply FILE` to "
                + "import existing ones."
        }
        let isShort = text.unicodeScalars.count < LicenseLookUp.shortestBeginning
        let beginning =
            isShort ? " The beginning of a holder needs \(LicenseLookUp.shortestBeginning) characters or more." : ""
        let scope = [tenant.map { "tenant \($0)" }, product.map { "product \($0)" }].compactMap(\.self)
        return
            "No license\(scope.isEmpty ? "" : " of " + scope.joined(separator: ", ")) has that key, id, e-mail address "
            + "or order reference.\(beginning) Of a key, only the last four characters are stored besides its hash, so other parts "
            + "of it find nothing. A key that was replaced by rekey no longer works. Run `tenure license list` to see "
            + "all licenses of this store; to look in another one, name it with --data, --store or --context."
    }
}

extension ReplacedKey {
    /// When and by whom the key was replaced, and how many devices may still use it, in one line.
    func sentence(of license: License?) -> String {
        let use =
            switch devices {
            case 0: "no device may use it any more"
            case Self.mostDevices: "\(devices) devices or more may still use it"
            default: "\(devices.of("device")) may still use it"
            }
        let now = license.map { "; the license's key is \($0.key.masked) now" } ?? ""
        return "\(key.key.masked) was replaced on \(key.replacedAt.local) by \(key.replacedBy); \(use)\(now)"
    }
}
