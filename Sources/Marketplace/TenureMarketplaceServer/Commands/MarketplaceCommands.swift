import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The command group `tenure marketplace`.
enum MarketplaceCommands {
    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "marketplace", "Manages a marketplace's keys, packages and App Store Connect notifications.",
            example: "tenure marketplace show --tenant acme",
            commands: [
                MarketplaceShowCommand.command(installations), MarketplaceImportCommand.command(installations),
                MarketplaceRotateCommand.command(installations), MarketplaceHoldCommand.hold(installations),
                MarketplaceHoldCommand.release(installations),
                MarketplaceDeveloperTokenCommand.command(installations),
            ])
    }
}

/// The command `tenure marketplace show`.
enum MarketplaceShowCommand {
    private static let key = Schema.output(
        [
            ("purpose", .text()), ("kid", .text()), ("origin", .text()), ("named", .boolean), ("namedFrom", .dateTime),
            ("createdAt", .dateTime), ("expiresAt", .momentOrNull), ("path", .textOrNull),
        ], optional: [("certificate", .text())])

    static func command(_ installations: Installations) -> Command {
        Command(
            "show", "Shows marketplaces with their keys, certificates and distribution public key.",
            discussion: """
                Enter the distribution public key in App Store Connect; devices fetch the certificates. Simulated keys \
                are for testing only: iPhones don't accept what they sign.
                """,
            example: "tenure marketplace show --tenant acme --json",
            arguments: [SharedOptions.tenant, SharedOptions.json, SharedOptions.wide] + SharedOptions.installation,
            output: Schema.page(
                "marketplaces",
                of: .output([
                    ("tenant", .text()), ("name", .text()), ("domain", .text()), ("access", .text()),
                    ("simulated", .boolean), ("distributionPublicKey", .text()), ("keys", .list(of: key)),
                ]))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let describe = DescribeMarketplaceKeys(
                context: MarketplaceContext(catalog: try await installation.catalog(), clock: installation.clock))
            let descriptions = try await describe(of: arguments[SharedOptions.tenant])
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("marketplaces") { list in
                        for description in descriptions { list.object { $0.marketplace(description) } }
                    }
                    body.next(nil)
                }
                return .done
            }
            if descriptions.isEmpty {
                console.note("there is no marketplace; add one to the catalog file and run `tenure apply FILE`")
            }
            for description in descriptions { show(description, on: console) }
            return .done
        }
    }

    private static func show(_ description: DescribeMarketplaceKeys.Description, on console: Console) {
        console.answer(
            "\(description.marketplace.name) (\(description.tenant)) at \(description.marketplace.domain), access "
                + "\(description.marketplace.access.rawValue), \(description.marketplace.apps.count) \(description.marketplace.apps.count == 1 ? "app" : "apps")"
                + (description.isSimulated ? ", simulated licenses" : ""))
        if description.keys.contains(where: { $0.record.origin == .imported }), description.isSimulated {
            console.note(MakeMarketplaceKeys.Notice.simulatedAllTheSame)
        }
        var table = TextTable([
            .text("purpose"), .text("kid"), .text("origin"), .text("in use"), .text("created"),
            .text("certificate until"), .text("certificate at"),
        ])
        for key in description.keys {
            let record = key.record
            table.add([
                record.purpose.rawValue, record.kid, record.origin.rawValue,
                key.isNamed ? "now" : "from \(record.namedFrom.local)", record.createdAt.local,
                key.expiresAt?.local ?? "-", key.path ?? "-",
            ])
        }
        console.answer(table)
        console.answer(description.distributionPublicKey)
    }
}

extension JSONObjectWriter {
    fileprivate mutating func marketplace(_ description: DescribeMarketplaceKeys.Description) {
        member("tenant", description.tenant.text)
        member("name", description.marketplace.name)
        member("domain", description.marketplace.domain)
        member("access", description.marketplace.access.rawValue)
        member("simulated", description.isSimulated)
        member("distributionPublicKey", description.distributionPublicKey)
        array("keys") { list in
            for key in description.keys {
                list.object { object in
                    object.member("purpose", key.record.purpose.rawValue)
                    object.member("kid", key.record.kid)
                    object.member("origin", key.record.origin.rawValue)
                    object.member("named", key.isNamed)
                    object.member("namedFrom", key.record.namedFrom.description)
                    object.member("createdAt", key.record.createdAt.description)
                    object.member("expiresAt", key.expiresAt?.description)
                    object.member("path", key.path)
                    if key.path != nil { object.member("certificate", base64: key.record.certificate) }
                }
            }
        }
    }
}
