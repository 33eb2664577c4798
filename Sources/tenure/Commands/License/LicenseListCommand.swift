import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer
import TenureStore

/// `tenure license list`
enum LicenseListCommand {
    private static let policy: Argument<PolicyID?> = .optional("policy", "POLICY", "Only this policy's.", as: .slug())
    private static let holder: Argument<String?> = .optional("holder", "TEXT", "Only this holder's.", as: .text)
    private static let state: Argument<LicenseState?> = .optional(
        "state", "STATE", "Only those in this state now.", as: .choice())
    private static let after: Argument<LicenseID?> = .optional(
        "after", "ID", "Only those after this id: the last one of the page before.",
        as: Reading { text throws(UsageError) in
            guard let id = LicenseID(text: text) else {
                throw UsageError("write a license id such as lic_0123456789abc")
            }
            return id
        })
    private static let limit = Argument.option("limit", "N", "At most so many.", as: .int(in: 1...1000), default: 100)

    static let command = Command(
        "list", "Lists licenses in the order of their ids.",
        example: "tenure license list --tenant acme --state expired",
        arguments: [
            SharedOptions.tenant, SharedOptions.product, policy, holder, state, after, limit, SharedOptions.json,
        ]
            + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let now = installation.clock.now()
        let filter = LicenseFilter(
            tenant: arguments[SharedOptions.tenant], product: arguments[SharedOptions.product],
            policy: arguments[policy], holder: arguments[holder], state: arguments[state], now: now)
        let licenses = try await installation.store.licenses(filter, after: arguments[after], limit: arguments[limit])
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("licenses") { list in
                    for license in licenses { list.object { $0.license(license, at: now) } }
                }
            }
        } else {
            var table = Table([
                .text("license"), .text("key"), .text("product"), .text("policy"), .text("state"), .text("ends"),
                .text("holder"),
            ])
            for license in licenses {
                table.add([
                    license.id.description, license.key.masked, license.product.description, license.policy.text,
                    license.state(at: now).rawValue, license.term.end?.description ?? "never", license.holder ?? "-",
                ])
            }
            console.answer(table)
            if licenses.count == arguments[limit], let last = licenses.last {
                console.note("there may be more: --after \(last.id)")
            }
        }
        await installation.store.close()
        return .done
    }
}
