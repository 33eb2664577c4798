import TenureCommandLine
import TenureCore
import TenureServer
import TenureStore

/// How a person names a license on the command line: by its key or its id; `-` reads either from standard input.
struct LicenseReference {
    static let argument = Argument.positional(
        "LICENSE", "A license key or a license id; - reads it from standard input, out of the shell's history.",
        as: .text)

    /// What the commands on one license take.
    static let arguments: [any DeclaredArgument] =
        [argument, SharedOptions.tenant, SharedOptions.product] + SharedOptions.installation

    /// Finds the one license that is meant; several or none is a failure that says what to do.
    static func find(_ arguments: Parsed, in store: any Store, console: Console) async throws -> License {
        var text = arguments[argument]
        if text == "-" {
            guard let line = console.readInputLine(), !line.isEmpty else {
                throw CommandError("Standard input held no license key or id.")
            }
            text = line
        }
        let found = try await FindLicense(store: store)(
            text, tenant: arguments[SharedOptions.tenant], product: arguments[SharedOptions.product])
        if found.count > 1 {
            let list = found.map { "\($0.id)  \($0.product)  \($0.key.masked)" }.joined(separator: "\n  ")
            throw CommandError(
                "Several licenses go by that name; choose one by its id, or with --tenant and --product:\n  \(list)")
        }
        guard let license = found.first else {
            throw CommandError(
                "No license goes by that key or id. `tenure license list` shows what there is; "
                    + "a key that was replaced with rekey is no name any more.")
        }
        return license
    }
}
