import FoundationEssentials
import TenureCommandLine
import TenureCore
import TenureHTTP
import TenureHTTPClient

/// A device that was read from its folder; commands save it after each step.
struct OpenDevice {
    let folder: DeviceFolder
    var session: DeviceSession
    private let clock: @Sendable () -> Timestamp
    /// The lock of the folder; `nil` if the command only reads the device. It's held until the command ends, because
    /// the device is saved as a whole.
    private let lock: FolderLock?

    var device: Device { session.device }

    var now: Timestamp { clock() }

    /// Opens the device in the folder that the arguments name, for a command that changes it.
    init(_ arguments: Parsed) throws { try self.init(DeviceFolder(arguments[DeviceOptions.folder])) }

    /// Opens the device in a folder, for a command that changes it.
    init(_ folder: DeviceFolder) throws {
        let lock = try folder.lock()
        try self.init(try folder.read(), in: folder, under: lock)
    }

    /// Opens the device in the folder that the arguments name, for a command that only reads it.
    init(reading arguments: Parsed) throws {
        let folder = DeviceFolder(arguments[DeviceOptions.folder])
        try self.init(try folder.read(), in: folder, under: nil)
    }

    /// Returns the open folder with another device, which isn't saved yet.
    func replaced(by device: Device) throws -> OpenDevice {
        try OpenDevice(device, in: folder, under: lock)
    }

    private init(_ device: Device, in folder: DeviceFolder, under lock: FolderLock?) throws {
        self.folder = folder
        self.lock = lock
        if let path = device.clockFile {
            let virtual = try VirtualClock(path: path)
            clock = { virtual.now() }
        } else {
            clock = { SystemClock().now() }
        }
        let marketplace = ServedMarketplace(
            device.server, transport: try Self.transport(to: device.server), certificates: device.certificates)
        var others: [AccountID: RequestingDevice] = [:]
        for account in device.otherAccounts {
            others[account] = RequestingDevice(
                deviceID: device.id, token: device.otherTokenFiles[account].flatMap { try? TokenFile.read($0) },
                signedIn: folder.signedIn(account, on: device))
        }
        session = DeviceSession(
            device, at: marketplace, token: try device.tokenFile.map { path throws in try TokenFile.read(path) },
            signedIn: device.account.map { folder.signedIn($0, on: device) }, others: others)
    }

    func save() throws { try withExtendedLifetime(lock) { try folder.write(device) } }

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

    /// Reads the server's address from `--server` and `--domain`.
    static func address(_ arguments: Parsed) throws(UsageError) -> ServerAddress {
        guard let address = ServerAddress(arguments[server], domain: arguments[domain]) else {
            throw UsageError(
                "--server \(arguments[server].printable): enter http://HOST:PORT, https://HOST or unix:PATH, without a path"
            )
        }
        return address
    }
}

extension ArgumentReading where Value == AssetID {
    /// Reads a variant's public id.
    static var asset: ArgumentReading {
        ArgumentReading { text in
            guard let asset = AssetID(text) else { throw UsageError("enter the publicId of a variant") }
            return asset
        }
    }
}
