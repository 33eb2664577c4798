import Foundation
import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFormats
import TenurePackages
import TenureStore

/// The commands `tenure marketplace connect` and `tenure marketplace disconnect`.
enum MarketplaceConnectCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "Whose marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let issuer = Argument.required(
        "issuer-id", "UUID", "The issuer, as App Store Connect shows it beside its keys.",
        as: ArgumentReading<String>.text)
    private static let keyID = Argument.required(
        "key-id", "ID", "The key's name, such as 2X9R4HXF34.", as: ArgumentReading<String>.text)
    private static let keyFile = Argument.required(
        "key-file", "FILE", "The API key, as it was downloaded: AuthKey_ID.p8.", as: ArgumentReading<String>.text)
    private static let url = Argument.option(
        "url", "URL", "Where App Store Connect is; http for loopback alone.", as: .text,
        default: Connection.standardURL)

    static let connect = Command(
        "connect", "Lets a running server fetch packages from App Store Connect.",
        discussion: """
            The key is sealed under the master key. What waited for a connection goes on at once; from then on a package is \
            fetched when a notification tells of it, and once a day the server asks for what nobody told.
            """,
        example: """
            tenure marketplace connect --tenant acme --issuer-id 57246542-96fe-1a63-e053-0824d011072a \
            --key-id 2X9R4HXF34 --key-file AuthKey_2X9R4HXF34.p8
            """,
        arguments: [tenant, issuer, keyID, keyFile, url, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let connection = try connection(arguments)
        let installation = try await Installation.open(arguments, console: console)
        let isThere = try await ConnectMarketplace(
            store: installation.store, master: installation.master, clock: installation.clock)(
                connection, of: arguments[tenant])
        await installation.store.close()
        guard isThere else { throw CommandError("\(arguments[tenant]) has no marketplace. Nothing was changed.") }
        console.answer(
            "connected with \(connection.url), key \(connection.keyID)", asJSON: arguments[SharedOptions.json]
        ) { body in
            body.member("tenant", arguments[tenant].text)
            body.member("url", connection.url)
            body.member("keyID", connection.keyID)
        }
        return .done
    }

    static let disconnect = Command(
        "disconnect", "Forgets the key that packages are fetched with.",
        discussion: "What is being fetched waits for another; what is here is served on.",
        example: "tenure marketplace disconnect --tenant acme",
        arguments: [tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let wasThere = try await ConnectMarketplace(
            store: installation.store, master: installation.master, clock: installation.clock
        ).end(of: arguments[tenant])
        await installation.store.close()
        console.answer(wasThere ? "disconnected" : "nothing to change", asJSON: arguments[SharedOptions.json]) { body in
            body.member("tenant", arguments[tenant].text)
            body.member("changed", wasThere)
        }
        return .done
    }

    private static func connection(_ arguments: Parsed) throws -> Connection {
        let path = arguments[keyFile]
        guard let data = try? CallersFile.bytes(of: path, limit: 65_537), data.count <= 65_536 else {
            throw CommandError("\(path) cannot be read. Nothing was changed.")
        }
        guard let key = try? P256.PrivateKey(data) else {
            throw CommandError("\(path) holds no P-256 key in PEM or DER. Nothing was changed.")
        }
        do throws(Connection.Fault) {
            return try Connection(
                issuer: arguments[issuer], keyID: arguments[keyID], key: key, url: arguments[url])
        } catch {
            throw CommandError("\(error). Nothing was changed.")
        }
    }
}
