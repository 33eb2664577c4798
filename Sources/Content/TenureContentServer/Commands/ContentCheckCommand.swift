import TenureCommandLine
import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command `tenure content check`.
enum ContentCheckCommand {
    static func command(_ installations: Installations) -> Command {
        Command(
            "check", "Lists limits that other license servers can't enforce.",
            discussion: """
                For each policy of the catalog, lists the limits that Kollus, DoveRunner and Axinom tokens can't carry. \
                Their players don't enforce a limit that the token doesn't carry. Marks the license servers that are \
                set up, and warns about differences of Kollus's player if Kollus is set up.
                """,
            example: "tenure content check --tenant acme",
            arguments: [ContentReference.tenant, SharedOptions.json, SharedOptions.wide] + SharedOptions.installation,
            output: Schema.page(
                "policies",
                of: .output([
                    ("policy", .text()), ("target", .choice(ForeignTarget.allCases.map(\.rawValue))),
                    ("setUp", .boolean), ("notExpressed", .texts), ("warnings", .texts),
                ]))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try ContentReference.tenant(arguments, in: catalog)
            await installation.store.close()
            let contents = catalog.current.catalog.tenants[tenant]?.contents
            let targets = catalog.current.targets(of: tenant)
            let now = installation.clock.now()
            let rows = (contents?.policies.values.sorted { $0.id < $1.id } ?? []).flatMap { policy in
                ForeignTarget.allCases.map { target in
                    (
                        policy: policy.id, target: target, isSetUp: targets.has(target),
                        left: target.notExpressed(
                            ContentTerms(under: policy, until: nil, at: now), deviceLimit: policy.deviceLimit),
                        warnings: target == .kollus && targets.has(target) ? policy.kollusWarnings : []
                    )
                }
            }
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("policies") { list in
                        for row in rows {
                            list.object { member in
                                member.member("policy", row.policy.text)
                                member.member("target", row.target.rawValue)
                                member.member("setUp", row.isSetUp)
                                member.member("notExpressed", row.left)
                                member.member("warnings", row.warnings)
                            }
                        }
                    }
                    body.next(nil)
                }
                return .done
            }
            var table = TextTable([.text("policy"), .text("license server"), .text("set up"), .text("not enforced")])
            for row in rows {
                table.add([
                    row.policy.text, row.target.rawValue, row.isSetUp ? "yes" : "no",
                    row.left.isEmpty ? "-" : row.left.joined(separator: ", "),
                ])
            }
            console.answer(table)
            for row in rows { for warning in row.warnings { console.warn("\(row.policy): \(warning)") } }
            return .done
        }
    }
}
