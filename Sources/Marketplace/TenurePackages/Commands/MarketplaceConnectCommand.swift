import FoundationEssentials
import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The commands `tenure marketplace connect` and `tenure marketplace disconnect`.
enum MarketplaceConnectCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let issuer = Argument.required(
        "issuer-id", "UUID", "The issuer id that App Store Connect shows beside its keys.",
        as: ArgumentReading<String>.text)
    private static let keyID = Argument.required(
        "key-id", "ID", "The key's id, such as 2X9R4HXF34.", as: ArgumentReading<String>.text)
    private static let keyFile = Argument.required(
        "key-file", "FILE", "The API key as downloaded: AuthKey_ID.p8.", as: ArgumentReading<String>.text)
    private static let url = Argument.option(
        "url", "URL", "The address of App Store Connect; http is allowed only for loopback.", as: .text,
        default: Connection.standardURL)

    static func connect(_ installations: Installations) -> Command {
        Command(
            "connect", "Connects to App Store Connect, so that a running server fetches packages.",
            discussion: """
                The key is stored encrypted under the master key. Waiting packages are fetched at once. From then on, a \
                package is fetched when a notification announces it, and once a day the server asks for packages that \
                no notification announced.
                """,
            example: """
                tenure marketplace connect --tenant acme --issuer-id 57246542-96fe-1a63-e053-0824d011072a \
                --key-id 2X9R4HXF34 --key-file AuthKey_2X9R4HXF34.p8
                """,
            arguments: [tenant, issuer, keyID, keyFile, url, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("tenant", .text()), ("url", .text()), ("keyID", .text())])
        ) { arguments, console in
            let connection = try connection(arguments)
            let installation = try await installations.open(arguments, console: console)
            let isThere = try await installation.marketplace().connectMarketplace(
                of: arguments[tenant], by: connection)
            await installation.store.close()
            guard isThere else {
                throw CommandError(
                    "Nothing was changed: \(arguments[tenant]) has no marketplace. Add one to the catalog file and run `tenure apply FILE`."
                )
            }
            console.answer(
                "connected to \(connection.url), key \(connection.keyID)", asJSON: arguments[SharedOptions.json]
            ) { body in
                body.member("tenant", arguments[tenant].text)
                body.member("url", connection.url)
                body.member("keyID", connection.keyID)
            }
            return .done
        }
    }

    static func disconnect(_ installations: Installations) -> Command {
        Command(
            "disconnect", "Deletes the key for App Store Connect.",
            discussion: "Packages being fetched wait for a new key; existing packages are still served.",
            example: "tenure marketplace disconnect --tenant acme",
            arguments: [tenant, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("tenant", .text()), ("changed", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let wasThere = try await installation.marketplace().disconnectMarketplace(of: arguments[tenant])
            await installation.store.close()
            console.answer(wasThere ? "disconnected" : "nothing to change", asJSON: arguments[SharedOptions.json]) {
                body in
                body.member("tenant", arguments[tenant].text)
                body.member("changed", wasThere)
            }
            return .done
        }
    }

    private static func connection(_ arguments: Parsed) throws -> Connection {
        let path = arguments[keyFile]
        guard let data = try? CallersFile.bytes(of: path, limit: 65_537), data.count <= 65_536 else {
            throw CommandError("Nothing was changed: \(path) cannot be read. Check the path and its mode.")
        }
        guard let key = try? P256.PrivateKey(data) else {
            throw CommandError(
                "Nothing was changed: \(path) contains no P-256 key in PEM or DER. Use the file that App Store Connect offered for download."
            )
        }
        do throws(Connection.Fault) {
            return try Connection(
                issuer: arguments[issuer], keyID: arguments[keyID], key: key, url: arguments[url])
        } catch {
            throw CommandError("Nothing was changed: \(error).")
        }
    }
}
