import FoundationEssentials
import TenureClient
import TenureCommandLine
import TenureContentClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureVault

/// A player's settings, which are stored in `player.json` in its folder; its ledger is a separate file.
struct PlayerSettings: Codable {
    /// The state of the player's simulated network.
    enum Network: String, Codable, CaseIterable {
        /// Connected.
        case on = "on"
        /// Disconnected.
        case off = "off"
        /// Behind a captive portal, which answers every request with its page.
        case portal = "portal"
    }

    var server: String
    var tenant: String
    var holder: String
    var identifier: String
    var clockFile: String?
    var keys: [String: String]
    var network = Network.on
    /// How many seconds a user has set the player's clock ahead; `nil` for 0.
    var clockError: Int64?
    /// How many restarts of the player's device have been simulated; `nil` for none.
    var restarts: Int?

    /// The names in `player.json`; never change them.
    private enum CodingKeys: String, CodingKey {
        case server = "server"
        case tenant = "tenant"
        case holder = "holder"
        case identifier = "identifier"
        case clockFile = "clockFile"
        case keys = "keys"
        case network = "network"
        case clockError = "clockError"
        case restarts = "restarts"
    }

    /// The clock that the player reads: the simulated clock, shifted by the error that a user set, with a boot id for
    /// each restart.
    var clock: any DeviceClock {
        let real: any DeviceClock = clockFile.map { VirtualDeviceClock(path: $0) } ?? SystemDeviceClock()
        return PlayerClock(real: real, error: clockError ?? 0, restarts: restarts ?? 0)
    }
}

/// A player's clock, which a user may have set wrong; its boot id changes at each restart.
private struct PlayerClock: DeviceClock {
    let real: any DeviceClock
    let error: Int64
    let restarts: Int

    func read() -> ClockReading {
        let reading = real.read()
        return ClockReading(
            wall: reading.wall.timestamp.adding(seconds: error), uptime: reading.uptime,
            boot: restarts == 0 ? reading.boot : "\(reading.boot)-\(restarts)")
    }
}

/// A player whose settings were read from its folder and whose library is open.
struct OpenPlayer {
    let folder: String
    var settings: PlayerSettings
    let library: ContentLibrary
    let clock: any DeviceClock

    /// Opens the player in the folder that the arguments name.
    init(_ arguments: Parsed) throws {
        try self.init(folder: arguments[PlayerOptions.folder])
    }

    init(folder path: String, isFast: Bool = false) throws {
        folder = path
        settings = try Self.read(path)
        clock = settings.clock
        library = try Self.library(settings, path, clock, isFast)
    }

    /// The time that the player's own clock shows.
    var now: Timestamp { clock.read().wall.timestamp }

    /// Lets seconds pass: by waiting or, if `isFast` is set, by changing the time in the clock file.
    func pass(_ seconds: Int64, isFast: Bool) async throws {
        guard isFast else { return try await Task.sleep(for: .seconds(seconds)) }
        guard let path = settings.clockFile else {
            throw CommandError(
                "--fast needs a clock file to move. Create the player with `tenure player new --clock FILE`.")
        }
        try ClockFile(path: path).advance(by: seconds)
    }

    /// Saves ``settings`` in the player's folder.
    func save() throws { try Self.write(settings, folder) }

    /// Returns the id under which the server lists the player's device.
    static func device(_ settings: PlayerSettings) throws -> String {
        Hex.encode(try owner(settings).device.bytes)
    }

    static func read(_ path: String) throws -> PlayerSettings {
        guard let data = FileManager.default.contents(atPath: "\(path)/player.json"),
            let settings = try? JSONDecoder().decode(PlayerSettings.self, from: data)
        else {
            throw CommandError("There is no player in \(path). Create one with `tenure player new`.")
        }
        return settings
    }

    static func write(_ settings: PlayerSettings, _ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = URL(filePath: "\(path)/player.json")
        try encoder.encode(settings).write(to: file, options: .atomic)
    }

    private static func owner(_ settings: PlayerSettings) throws -> LedgerOwner {
        guard let tenant = TenantID(settings.tenant) else {
            throw CommandError("--tenant: enter 1 to 64 of a-z, 0-9, _ and -, beginning with a letter or a digit")
        }
        let device = try ThisDevice(explicit: settings.identifier).contentDevice(of: tenant)
        return LedgerOwner(tenant: tenant, holder: settings.holder, device: device)
    }

    private static func library(
        _ settings: PlayerSettings, _ path: String, _ clock: any DeviceClock, _ isFast: Bool
    ) throws -> ContentLibrary {
        guard let server = ServerAddressBase(settings.server) else {
            throw CommandError("--server: enter https://HOST, or http://HOST:PORT on this machine")
        }
        let owner = try owner(settings)
        let keys = ContentKeys(pinned: try pinned(settings.keys), trust: settings.keys.isEmpty ? .served : .pinned)
        let service = ContentService(
            server, owner: owner, keys: keys, over: try transport(settings, server, 60),
            quickly: try transport(settings, server, 10), now: { clock.read().wall.timestamp })
        let awake = ContentClocks.awakeMillis()
        let clocks = ContentClocks(
            device: clock, millis: { isFast ? clock.read().uptime * 1_000 : awake() },
            // Random delays spread the requests of many devices, which a single command doesn't need.
            random: { _ in 0 })
        do {
            return try ContentLibrary(
                owner: owner, disk: try LedgerFile(folder: "\(path)/ledger", name: owner.fileName),
                binding: try ThisDevice(explicit: settings.identifier).binding, service: service, clocks: clocks)
        } catch let error as VaultError {
            throw CommandError(error.message)
        }
    }

    /// Reads the player's trusted keys; throws if any of them can't be read.
    static func pinned(_ texts: [String: String]) throws(CommandError) -> [String: Ed25519.PublicKey] {
        do throws(BuiltInKeys.Unusable) {
            return try BuiltInKeys.read(texts, trust: .served)
        } catch {
            throw CommandError(error.message)
        }
    }

    private static func transport(
        _ settings: PlayerSettings, _ server: ServerAddressBase, _ seconds: Int
    ) throws -> any HTTPTransport {
        var options = TransportOptions()
        if server.isThisMachine { options.proxy = .none }
        options.timeout = .seconds(seconds)
        options.connectTimeout = .seconds(5)
        options.userAgent = "TenurePlayer"
        switch settings.network {
        case .on: return try HTTPTransports.system(options)
        case .off: return BrokenNetwork(isPortal: false)
        case .portal: return BrokenNetwork(isPortal: true)
        }
    }
}

/// A transport without a connection, or behind a captive portal.
private struct BrokenNetwork: HTTPTransport {
    let isPortal: Bool

    func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
        guard isPortal else { throw TransportError(.couldNotConnect, "The player's network is off.") }
        let page = "<!doctype html><title>Welcome</title><p>Accept the terms to go on."
        return Response(status: 200, headers: ["Content-Type": "text/html"], body: Array(page.utf8))
    }
}

/// The arguments that several player commands share.
enum PlayerOptions {
    static let folder = Argument.positional("FOLDER", "The player's folder.", as: .text)
    static let content = Argument.positional("CONTENT", "The content's name.", as: .text)
    static let contents = Argument.positionals("CONTENT", "The contents' names.", as: .text)
}
