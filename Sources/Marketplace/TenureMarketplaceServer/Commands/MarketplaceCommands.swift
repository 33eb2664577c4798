import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

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
            let lists = try await installation.marketplace().listMarketplaceKeys(of: arguments[SharedOptions.tenant])
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("marketplaces") { list in
                        for keys in lists { list.object { $0.marketplace(keys) } }
                    }
                    body.next(nil)
                }
                return .done
            }
            if lists.isEmpty {
                console.note("there is no marketplace; add one to the catalog file and run `tenure apply FILE`")
            }
            for keys in lists { show(keys, on: console) }
            return .done
        }
    }

    private static func show(_ list: MarketplaceKeyList, on console: Console) {
        console.answer(
            "\(list.marketplace.name) (\(list.tenant)) at \(list.marketplace.domain), access "
                + "\(list.marketplace.access.rawValue), \(list.marketplace.apps.count) \(list.marketplace.apps.count == 1 ? "app" : "apps")"
                + (list.isSimulated ? ", simulated licenses" : ""))
        if list.keys.contains(where: { $0.record.origin == .imported }), list.isSimulated {
            console.note(SimulatedKeysNotice.simulatedAllTheSame)
        }
        var table = TextTable([
            .text("purpose"), .text("kid"), .text("origin"), .text("in use"), .text("created"),
            .text("certificate until"), .text("certificate at"),
        ])
        for key in list.keys {
            let record = key.record
            table.add([
                record.purpose.rawValue, record.kid, record.origin.rawValue,
                key.isNamed ? "now" : "from \(record.namedFrom.local)", record.createdAt.local,
                key.expiresAt?.local ?? "-", key.path ?? "-",
            ])
        }
        console.answer(table)
        console.answer(list.distributionPublicKey)
    }
}

extension JSONObjectWriter {
    fileprivate mutating func marketplace(_ keys: MarketplaceKeyList) {
        member("tenant", keys.tenant.text)
        member("name", keys.marketplace.name)
        member("domain", keys.marketplace.domain)
        member("access", keys.marketplace.access.rawValue)
        member("simulated", keys.isSimulated)
        member("distributionPublicKey", keys.distributionPublicKey)
        array("keys") { list in
            for key in keys.keys {
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
