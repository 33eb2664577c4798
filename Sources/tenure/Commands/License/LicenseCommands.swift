import Foundation
import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// `tenure license ...`
enum LicenseCommands {
    static let group = CommandGroup(
        "license", "Issues, shows and changes licenses.",
        discussion:
            "LICENSE is a license key, a license id (lic_...), or the decimal number that devices know an app license by. A key's full text is shown once, when it is issued.",
        example: "tenure license issue --tenant acme --product notes --policy pro --holder ada@example.com",
        commands: [
            LicenseIssueCommand.command, LicenseShowCommand.command, LicenseListCommand.command,
            LicenseRenewCommand.command, LicenseChangeCommand.command, LicenseRekeyCommand.command,
            LicenseActCommands.suspend, LicenseActCommands.reinstate, LicenseActCommands.revoke,
            LicenseActCommands.giveBack, LicenseExplainCommand.command, LicenseLinkCommand.command,
        ])
}

/// `tenure license issue`
enum LicenseIssueCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "Whose product.", as: ArgumentReading<TenantID>.slug())
    private static let product = Argument.required(
        "product", "PRODUCT", "Which product.", as: ArgumentReading<ProductID>.slug())
    private static let policy = Argument.required(
        "policy", "POLICY", "Under which policy.", as: ArgumentReading<PolicyID>.slug())
    private static let holder: Argument<String?> = .optional("holder", "TEXT", "To whom, such as an e-mail.", as: .text)
    private static let expires: Argument<LicenseEdit.End?> = .optional(
        "expires-at", "DATE", "When the term ends, or never; without it the policy says.", as: .end)
    private static let count = Argument.option("count", "N", "How many.", as: .int(in: 1...1_000_000), default: 1)
    private static let out: Argument<String?> = .optional(
        "out", "FILE", "Write key,license,policy,holder,expiresAt as CSV to a new file.", as: .text)

    static let command = Command(
        "issue", "Issues licenses with new keys.",
        discussion: "Each key is shown once, here; the store keeps its hash.",
        example: """
            tenure license issue --tenant acme --product notes --policy pro --holder ada@example.com
            tenure license issue --tenant acme --product notes --policy pro --count 1000 --out keys.csv
            """,
        arguments: [tenant, product, policy, holder, expires, count, out, SharedOptions.json]
            + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let ref = ProductRef(tenant: arguments[tenant], product: arguments[product])
        let issue = IssueLicenses(catalog: try await installation.catalog(), clock: installation.clock)
        let file = try arguments[out].map(CSVFile.init(creating:))
        try file?.write(row: ["key", "license", "policy", "holder", "expiresAt"])
        let total = arguments[count]
        let progress = console.progress("issuing", total: total)
        var done = 0
        while done < total {
            let order = IssueLicenses.Order(
                product: ref, policy: arguments[policy], holder: arguments[holder], end: arguments[expires],
                count: min(batch, total - done))
            guard let issued = try await issue(order, by: .commandLine) else {
                file?.remove()
                throw CommandError(
                    "There is no policy \(arguments[policy]) in \(ref). `tenure apply FILE` adds one; nothing was issued."
                )
            }
            for license in issued { try show(license, at: installation.clock.now(), arguments, file, console) }
            // A key that was reported must be on disk as surely as its license is.
            try file?.sync()
            done += issued.count
            progress.advance(by: issued.count)
        }
        progress.finish()
        if let file { console.note("wrote \(total) keys to \(file.path)") }
        await installation.store.close()
        return .done
    }

    private static let batch = 250

    private static func show(
        _ issued: IssueLicenses.Issued, at now: Timestamp, _ arguments: Parsed, _ file: CSVFile?, _ console: Console
    ) throws {
        let license = issued.license
        if let file {
            try file.write(row: [
                issued.keyText, license.id.description, license.policy.text, license.holder ?? "",
                license.term.end?.description ?? "",
            ])
        } else if arguments[SharedOptions.json] || arguments[count] == 1 {
            LicensePage(license: license, newKey: issued.keyText, now: now)
                .answer(asJSON: arguments[SharedOptions.json], on: console)
        } else {
            console.answer(issued.keyText)
        }
    }
}

extension Actor {
    /// Whoever works at the command line.
    static let commandLine = Actor.operator("cli")
}
