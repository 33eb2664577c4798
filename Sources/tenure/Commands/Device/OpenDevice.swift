import Foundation
import TenureCommandLine
import TenureCore
import TenureDevice
import TenureHTTPClient
import TenureServerKit

/// A device that was read from its folder; commands save it after each step.
struct OpenDevice {
    let folder: DeviceFolder
    var session: DeviceSession
    let clock: any WallClock

    var device: Device { session.device }

    var now: Timestamp { clock.now() }

    /// Opens the device in the folder that the arguments name.
    init(_ arguments: Parsed) throws { try self.init(DeviceFolder(arguments[DeviceOptions.folder])) }

    /// Opens the device in a folder.
    init(_ folder: DeviceFolder) throws {
        try self.init(try folder.read(), in: folder)
    }

    /// Opens a device that may not have been saved in its folder yet.
    init(_ device: Device, in folder: DeviceFolder) throws {
        self.folder = folder
        clock = try device.clockFile.map { path throws(CommandError) in try VirtualClock(path: path) } ?? SystemClock()
        let marketplace = ServedMarketplace(
            device.server, transport: try Self.transport(to: device.server), certificates: device.certificates)
        session = DeviceSession(
            device, at: marketplace, token: try device.tokenFile.map { path throws in try Self.token(in: path) },
            signedIn: device.account.map { folder.signedIn($0, on: device) })
    }

    /// Saves the device in its current state.
    func save() throws { try folder.write(device) }

    /// Creates the transport to a server; local servers are reached without the environment's proxy.
    static func transport(to server: ServerAddress) throws(TransportError) -> any HTTPStreaming {
        var options = TransportOptions()
        let isHere =
            server.unixSocket != nil || server.origin.contains("//127.") || server.origin.contains("//localhost")
        if isHere { options.proxy = .none }
        options.unixSocket = server.unixSocket
        options.userAgent = "TenureDevice"
        options.stallTimeout = .seconds(30)
        return try HTTPTransports.streaming(options)
    }

    /// Reads the token in a file.
    static func token(in path: String) throws(CommandError) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandError(
                "The token file \(path) cannot be read. Run `tenure account token ACCOUNT --out FILE` to write one.")
        }
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandError(
                "The file \(path) must contain a token and nothing else. Run `tenure account token ACCOUNT --out FILE` to write one."
            )
        }
        return token
    }

    /// Resolves a relative path against the working directory.
    static func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }
}

/// The arguments that several device commands share.
enum DeviceOptions {
    static let folder = Argument.positional("FOLDER", "The device's folder.", as: .text)
    static let item = Argument.required(
        "item", "ITEM", "The app's Apple item id.", as: ArgumentReading<AppleItemID>.appleItem)
    static let items = Argument.repeated(
        "item", "ITEM", "An app's Apple item id.", as: ArgumentReading<AppleItemID>.appleItem)
    static let server = Argument.required(
        "server", "URL", "The marketplace's server: http://HOST:PORT, https://HOST or unix:PATH.",
        as: .text)
    static let domain: Argument<String?> = .optional(
        "domain", "DOMAIN", "The marketplace's domain, if it is not the server's host.", as: .text)
    static let model = Argument.option("model", "MODEL", "The device's model.", as: .text, default: "iPhone15,5")
    static let system = Argument.option("os", "VERSION", "The version of iOS.", as: .text, default: "18.2")
    static let tokenFile: Argument<String?> = .optional(
        "token-file", "FILE", "A file with the account's token, from `tenure account token`.", as: .text)

    /// Reads `--server` and `--domain`.
    static func address(_ arguments: Parsed) throws(UsageError) -> ServerAddress {
        guard let address = ServerAddress(arguments[server], domain: arguments[domain]) else {
            throw UsageError(
                "--server \(arguments[server].printable): enter http://HOST:PORT, https://HOST or unix:PATH, without a path"
            )
        }
        return address
    }
}

extension ArgumentReading where Value == AppleItemID {
    /// Reads an app's number.
    static var appleItem: ArgumentReading {
        ArgumentReading { text throws(UsageError) in
            guard let item = AppleItemID(text: text) else { throw UsageError("enter a number such as 6483539426") }
            return item
        }
    }
}

extension ArgumentReading where Value == AppleVersionID {
    /// Reads a version's number.
    static var appleVersion: ArgumentReading {
        ArgumentReading { text throws(UsageError) in
            guard let version = AppleVersionID(text: text) else { throw UsageError("enter a number such as 863214182") }
            return version
        }
    }
}

extension ArgumentReading where Value == AssetID {
    /// Reads a variant's public id.
    static var asset: ArgumentReading {
        ArgumentReading { text throws(UsageError) in
            guard let asset = AssetID(text) else { throw UsageError("enter the publicId of a variant") }
            return asset
        }
    }
}
