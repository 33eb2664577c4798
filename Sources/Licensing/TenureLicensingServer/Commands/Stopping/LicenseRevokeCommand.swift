import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license revoke`, which takes several licenses.
enum LicenseRevokeCommand {
    private static let licenses: Argument<[String]> = .positionals(
        "LICENSE",
        "License keys, license ids, or numbers of app licenses; - reads one from standard input. "
            + LicenseReference.certainty,
        as: .text, isRequired: true)
    private static let isSure = Argument.flag("yes", "Don't ask before revoking several licenses.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "revoke", "Revokes licenses permanently.",
            discussion: """
                Devices learn of it at their next refresh. This can't be undone, so the command asks before it revokes \
                more than one license; without a terminal, give --yes. If one of the names is wrong, nothing is \
                revoked. \(StatedReasonOptions.repeating) With --json, it prints a line for each license. \
                \(StatedReasonOptions.discussion) \(LicenseActCommands.ofApps)
                """,
            example: "tenure license revoke NOTE-PRO0-0000-0001 --reason 'chargeback of order 1001'",
            arguments: [licenses, isSure, SharedOptions.tenant, SharedOptions.product] + StatedReasonOptions.all
                + [SharedOptions.json] + SharedOptions.installation,
            output: LicenseActCommands.output(installations)
        ) { arguments, console in
            let reason = try StatedReasonOptions.reason(arguments)
            var named = arguments[licenses]
            if named.count > 1 { named = try await ids(of: named, installations, arguments, console) }
            var code = ExitCode.done
            for name in named {
                let one = try await LicenseAct.perform(
                    installations, .revoke, orOnOther: .revoke, because: reason, on: name, arguments, console: console)
                if one != .done { code = one }
            }
            return code
        }
    }

    /// Finds every named license, asks whether to revoke them all, and returns their ids.
    private static func ids(
        of named: [String], _ installations: Installations, _ arguments: Parsed, _ console: Console
    ) async throws -> [String] {
        let installation = try await installations.open(arguments, console: console)
        var found: [LicenseReference.Found] = []
        for name in named {
            let license = try await LicenseReference.findAny(name, arguments, in: installation, console: console)
            if !found.contains(where: { $0.id == license.id }) { found.append(license) }
        }
        await installation.store.close()
        guard !arguments[isSure], found.count > 1 else { return found.map(\.id) }
        if console.canAsk {
            for license in found { console.note("  \(license.line(at: installation.clock.now()))") }
        }
        try console.confirm(
            "Revoke these \(found.count) licenses? This can't be undone.",
            orElse: "Nothing was revoked.")
        return found.map(\.id)
    }
}

extension LicenseReference.Found {
    /// The license's id, by which commands find it again.
    fileprivate var id: String {
        switch self {
        case .product(let license): license.id.description
        case .other(let license): license.name
        }
    }
}
