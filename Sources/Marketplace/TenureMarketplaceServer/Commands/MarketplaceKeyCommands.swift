import FoundationEssentials
import TenureCommandLine
import TenureCore
import TenureFiles
import TenureFormats
import TenureServerKit
import TenureStore

enum MarketplaceImportCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let encryptionCertificate = Argument.required(
        "encryption-certificate", "FILE", "The encryption certificate, DER or PEM.", as: ArgumentReading<String>.text)
    private static let encryptionKey = Argument.required(
        "encryption-key", "FILE", "Its private key, DER or PEM without a password.", as: ArgumentReading<String>.text)
    private static let signingCertificate = Argument.required(
        "signing-certificate", "FILE", "The signing certificate, DER or PEM.", as: ArgumentReading<String>.text)
    private static let signingKey = Argument.required(
        "signing-key", "FILE", "Its private key, DER or PEM without a password.", as: ArgumentReading<String>.text)
    private static let pask = Argument.required(
        "pask", "FILE", "The PASK: the JSON file with authorizationKey.", as: ArgumentReading<String>.text)
    private static let distributionKey = Argument.required(
        "distribution-key", "FILE", "The alternative distribution key (P-256), DER or PEM.",
        as: ArgumentReading<String>.text)
    private static let distributionKeyID = Argument.required(
        "distribution-key-id", "UUID", "The key's UUID in App Store Connect; install tokens contain it.",
        as: ArgumentReading<String> { text in
            guard ActivationID(text: text) != nil else {
                throw UsageError("enter a UUID such as 52c5cb04-1163-4a30-ad4f-a3433cd6a4f6")
            }
            return text.lowercased()
        })

    static func command(_ installations: Installations) -> Command {
        Command(
            "import", "Imports a marketplace's real keys and certificates, as issued by Apple.",
            discussion: """
                The keys are checked first: RSA with 3072 bits, and each certificate must match its key and be valid \
                now. They replace simulated keys at once, and earlier real keys after five minutes, when no device can \
                still have the old configuration. Old keys are kept, so data encrypted for them can still be decrypted. \
                From then on, no key is ever generated for this marketplace.
                """,
            example: """
                tenure marketplace import --tenant acme --encryption-certificate encryption.cer --encryption-key encryption.pem \
                --signing-certificate signing.cer --signing-key signing.pem --pask pask.json --distribution-key distribution.pem \
                --distribution-key-id 52c5cb04-1163-4a30-ad4f-a3433cd6a4f6
                """,
            arguments: [
                tenant, encryptionCertificate, encryptionKey, signingCertificate, signingKey, pask, distributionKey,
                distributionKeyID, SharedOptions.json,
            ] + SharedOptions.installation,
            output: Schema.output([("encryption", .text()), ("signing", .text()), ("namedFrom", .dateTime)])
                .or(.output([("changed", .boolean)]))
        ) { arguments, console in
            let files = AssetFiles(
                encryptionCertificate: try read(arguments[encryptionCertificate]),
                encryptionKey: try read(arguments[encryptionKey]),
                signingCertificate: try read(arguments[signingCertificate]),
                signingKey: try read(arguments[signingKey]),
                pask: try read(arguments[pask]), distributionKey: try read(arguments[distributionKey]),
                distributionKeyID: arguments[distributionKeyID])
            let installation = try await installations.open(arguments, console: console)
            let outcome = try await installation.marketplace().importMarketplaceKeys(
                files, for: arguments[tenant], by: .commandLine)
            await installation.store.close()
            switch outcome {
            case .imported(let assets, let namedFrom):
                let line =
                    "imported: encryption \(assets.encryptionKey.id), signing \(assets.signingKey.id); in use from \(namedFrom.local)"
                console.answer(line, asJSON: arguments[SharedOptions.json]) { body in
                    body.member("encryption", assets.encryptionKey.id)
                    body.member("signing", assets.signingKey.id)
                    body.member("namedFrom", namedFrom.description)
                }
                if !MarketplaceKeys.hasApplesEngine {
                    console.warn(SimulatedKeysNotice.simulatedAllTheSame)
                }
            case .unchanged:
                console.answer(
                    "nothing was changed: these keys were already imported", asJSON: arguments[SharedOptions.json]
                ) {
                    $0.member("changed", false)
                }
            case .refused(let error): throw CommandError("Nothing was changed: \(error.message).")
            case .noMarketplace:
                throw CommandError(
                    "\(arguments[tenant]) has no marketplace. Add one to the catalog file and run `tenure apply FILE`.")
            }
            return .done
        }
    }

    private static func read(_ path: String) throws(CommandError) -> [UInt8] {
        do throws(Errno) {
            return try CallersFile.bytes(of: path)
        } catch {
            throw CommandError("\(path) cannot be read: \(error)")
        }
    }
}

enum MarketplaceRotateCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the marketplace.", as: ArgumentReading<TenantID>.slug())

    static func command(_ installations: Installations) -> Command {
        Command(
            "rotate", "Creates new simulated encryption and signing keys.",
            discussion: """
                The new certificates are served at once. Five minutes later, when no device can still have the old \
                configuration, the configuration names them and licenses are signed with the new key. Old certificates \
                stay at their URLs, and data encrypted for an old key can still be decrypted. For real keys from Apple, \
                use `tenure marketplace import`.
                """,
            example: "tenure marketplace rotate --tenant acme",
            arguments: [tenant, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("encryption", .text()), ("signing", .text()), ("namedFrom", .dateTime)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let outcome = try await installation.marketplace().rotateMarketplaceKeys(
                of: arguments[tenant], by: .commandLine)
            await installation.store.close()
            switch outcome {
            case .rotated(let encryption, let signing, let namedFrom):
                console.answer(
                    "created encryption \(encryption) and signing \(signing) (simulated); in use from \(namedFrom.local)",
                    asJSON: arguments[SharedOptions.json]
                ) { body in
                    body.member("encryption", encryption)
                    body.member("signing", signing)
                    body.member("namedFrom", namedFrom.description)
                }
            case .imported:
                throw CommandError(
                    "The keys of \(arguments[tenant]) were imported, so they can't be generated. Import new ones with `tenure marketplace import`."
                )
            case .noAssets:
                throw CommandError(
                    "\(arguments[tenant]) has no marketplace with keys. Run `tenure apply FILE` to create them.")
            }
            return .done
        }
    }
}

/// Messages about a marketplace's simulated keys.
enum SimulatedKeysNotice {
    static let simulatedAllTheSame =
        "the keys were imported, but licenses are still simulated, because this program was built without Apple's module; "
        + "iPhones don't accept them"

    static func created(for tenant: TenantID) -> String {
        "created simulated keys for the marketplace of \(tenant): simulated devices accept its licenses, but "
            + "iPhones do not. Import Apple's keys with `tenure marketplace import`."
    }
}
