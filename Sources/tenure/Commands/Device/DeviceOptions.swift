import TenureCommandLine
import TenureCore
import TenureDevice

/// The arguments that several device commands share.
enum DeviceOptions {
    static let folder = Argument.positional("FOLDER", "The device's folder.", as: .text)
    static let item = Argument.required("item", "ITEM", "The app's Apple item id.", as: Reading<AppleItemID>.appleItem)
    static let items = Argument.repeated("item", "ITEM", "An app's Apple item id.", as: Reading<AppleItemID>.appleItem)
    static let server = Argument.required(
        "server", "URL", "Where the marketplace's server listens: http://HOST:PORT, https://HOST or unix:PATH.",
        as: .text)
    static let domain: Argument<String?> = .optional(
        "domain", "DOMAIN", "The marketplace's domain, when it is not the server's host.", as: .text)
    static let model = Argument.option("model", "MODEL", "The device's model.", as: .text, default: "iPhone15,5")
    static let system = Argument.option("os", "VERSION", "The version of iOS.", as: .text, default: "18.2")
    static let tokenFile: Argument<String?> = .optional(
        "token-file", "FILE", "Holds the account's token, from `tenure account token`.", as: .text)

    /// Reads `--server` and `--domain`.
    static func address(_ arguments: Parsed) throws(UsageError) -> ServerAddress {
        guard let address = ServerAddress(arguments[server], domain: arguments[domain]) else {
            throw UsageError(
                "--server \(arguments[server].printable): write http://HOST:PORT, https://HOST or unix:PATH, without a path"
            )
        }
        return address
    }
}

extension Reading where Value == AppleItemID {
    /// An app's number.
    static var appleItem: Reading {
        Reading { text throws(UsageError) in
            guard let item = AppleItemID(text: text) else { throw UsageError("write a number such as 6483539426") }
            return item
        }
    }
}

extension Reading where Value == AppleVersionID {
    /// A version's number.
    static var appleVersion: Reading {
        Reading { text throws(UsageError) in
            guard let version = AppleVersionID(text: text) else { throw UsageError("write a number such as 863214182") }
            return version
        }
    }
}

extension Reading where Value == AssetID {
    /// A variant's public id.
    static var asset: Reading {
        Reading { text throws(UsageError) in
            guard let asset = AssetID(text) else { throw UsageError("write the publicId of a variant") }
            return asset
        }
    }
}
