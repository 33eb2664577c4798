import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
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

    /// A license of a product, or of an app on a device.
    enum Found {
        case product(License)
        case app(AppLicense)

        /// A line in a list of candidates.
        var line: String {
            switch self {
            case .product(let license): "\(license.id)  \(license.product)  \(license.key.masked)"
            case .app(let license): "\(license.id)  \(license.tenant), app \(license.item)  \(license.id.number)"
            }
        }
    }

    /// Finds the named product license, for commands that app licenses don't support.
    static func find(_ arguments: Parsed, in store: any Store, console: Console) async throws -> License {
        switch try await findAny(arguments, in: store, console: console) {
        case .product(let license): return license
        case .app(let license):
            throw CommandError(
                "\(license.id) is an app license, which only its device renews. "
                    + "Use `tenure license suspend`, `reinstate`, `revoke`, `return`, `show` or `explain`, which work on app licenses."
            )
        }
    }

    /// Finds the named license; throws with a remedy if there are several matches or none.
    static func findAny(_ arguments: Parsed, in store: any Store, console: Console) async throws -> Found {
        var text = arguments[argument]
        if text == "-" {
            guard let line = console.readInputLine(), !line.isEmpty else {
                throw CommandError("Standard input contains no license key or id.")
            }
            text = line
        }
        let tenant = arguments[SharedOptions.tenant]
        let product = arguments[SharedOptions.product]
        var found = try await FindLicense(store: store)(text, tenant: tenant, product: product).map(Found.product)
        if product == nil, let license = try await FindAppLicense(store: store)(text, tenant: tenant) {
            found.append(.app(license))
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
