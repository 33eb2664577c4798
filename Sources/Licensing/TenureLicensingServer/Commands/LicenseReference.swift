import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The argument that names a license by key or id; `-` reads either from standard input.
struct LicenseReference {
    static let argument = Argument.positional(
        "LICENSE",
        "A license key, a license id, or the number of an app license; - reads it from standard input, which keeps it out of the shell's history.",
        as: .text)

    /// The arguments that every command on one license takes.
    static let arguments: [any DeclaredArgument] =
        [argument, SharedOptions.tenant, SharedOptions.product] + SharedOptions.installation

    /// A license of a product, or of another feature.
    enum Found {
        case product(License)
        case other(any ProvidedLicense)

        /// A line in a list of candidates.
        var line: String {
            switch self {
            case .product(let license): "\(license.id)  \(license.product)  \(license.key.masked)"
            case .other(let license): license.line
            }
        }
    }

    /// Finds the named product license, for commands that licenses of other features don't support.
    static func find(_ arguments: Parsed, in installation: Installation, console: Console) async throws -> License {
        switch try await findAny(arguments, in: installation, console: console) {
        case .product(let license): return license
        case .other(let license): throw CommandError(license.refusal)
        }
    }

    /// Finds the named license; throws with a remedy if there are several matches or none.
    static func findAny(_ arguments: Parsed, in installation: Installation, console: Console) async throws -> Found {
        var text = arguments[argument]
        if text == "-" {
            guard let line = console.readInputLine(), !line.isEmpty else {
                throw CommandError("Standard input contains no license key or id.")
            }
            text = line
        }
        let tenant = arguments[SharedOptions.tenant]
        let product = arguments[SharedOptions.product]
        var found = try await installation.store.findLicenses(text, tenant: tenant, product: product).map(
            Found.product)
        for kept in installation.features.all.compactMap(\.licenses) where product == nil {
            if let license = try await kept.find(text, tenant, installation.store) { found.append(.other(license)) }
        }
        if found.count > 1 {
            throw CommandError(
                "Several licenses match; choose one by its id, or with --tenant and --product:\n  "
                    + found.map(\.line).joined(separator: "\n  "))
        }
        guard let license = found.first else {
            throw CommandError(
                "No license has that key or id. Run `tenure license list` to see all licenses. "
                    + "A key that was replaced by rekey no longer works.")
        }
        return license
    }
}
