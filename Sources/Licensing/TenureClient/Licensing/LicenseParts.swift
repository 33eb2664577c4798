import TenureCore
import TenureCrypto
import TenureFormats
import TenureFoundation
import TenureHTTP
import TenureHTTPClient
import TenureLicensing
import TenureVault

/// Builds the parts of a manager from a configuration.
struct LicenseParts {
    /// The timeout of a request; an app waits that long only for an action of the user.
    static let timeout = Duration.seconds(15)
    /// The maximum size of a response in bytes; license servers send a few thousand.
    static let answerLimit = 1 << 18

    let engine: LicenseEngine

    init(
        _ configuration: LicenseConfiguration, device: ThisDevice, system: DeviceSystem?
    ) throws(LicenseError) {
        guard let tenant = TenantID(configuration.tenant), let product = ProductID(configuration.product) else {
            throw .unusable("The names of a tenant and a product consist of 1 to 64 characters from a-z, 0-9, _ and -.")
        }
        let ref = ProductRef(tenant: tenant, product: product)
        guard let address = ServiceAddress(configuration.server, product: ref) else {
            throw .unusable("The server's URL must be https://HOST, or http:// on this device, without a query.")
        }
        if configuration.clockFile != nil, !address.isThisMachine {
            throw .unusable("A clock file works only with a server on this device.")
        }
        if let names = configuration.entitlements,
            let unknown = configuration.trialEntitlements?.subtracting(names).min()
        {
            throw .unusable("trialEntitlements contains \(unknown), which isn't in entitlements.")
        }
        let clock: any DeviceClock =
            configuration.clockFile.map { VirtualDeviceClock(path: $0) } ?? SystemDeviceClock()
        let time = ClockTracker(clock)
        let service = try Self.service(configuration, device, address, time)
        engine = LicenseEngine(
            vault: try Self.vault(configuration, device, ref),
            service: configuration.log.map { LoggedService(service, hear: $0) } ?? service, clock: clock, time: time,
            settings: LicenseEngine.Settings(
                deviceName: DeviceReport(name: configuration.deviceName).name ?? ProcessInfo.processInfo.hostName,
                system: system, trialDays: configuration.trialDays))
    }

    private static func service(
        _ configuration: LicenseConfiguration, _ device: ThisDevice, _ address: ServiceAddress, _ time: ClockTracker
    ) throws(LicenseError) -> any LicenseService {
        let keys = try signingKeys(configuration)
        var options = TransportOptions()
        options.timeout = timeout
        options.responseLimit = answerLimit
        options.pinnedKeys = configuration.serverKeys
        let transport = LazyTransport(options)
        let name = device.id(for: address.product).text
        switch configuration.dialect {
        case .keylight:
            return KeylightService(
                KeylightRequests(address, sdkKey: configuration.sdkKey, machineHash: name), over: transport,
                pinned: keys, trust: configuration.keyTrust, now: { time.now() },
                mayCorrectMark: { time.mayCorrectMark($0) })
        case .tenure:
            guard let hash = DeviceHash(name) else { preconditionFailure("a device id is a SHA-256 in hexadecimal") }
            return TenureService(
                TenureRequests(address, sdkKey: configuration.sdkKey, device: hash), over: transport, pinned: keys,
                trust: configuration.keyTrust, now: { time.now() })
        }
    }

    private static func signingKeys(
        _ configuration: LicenseConfiguration
    ) throws(LicenseError) -> [String: Ed25519.PublicKey] {
        do throws(BuiltInKeys.Unusable) {
            return try BuiltInKeys.read(configuration.signingKeys, trust: configuration.keyTrust)
        } catch {
            throw .unusable(error.message)
        }
    }

    private static func vault(
        _ configuration: LicenseConfiguration, _ device: ThisDevice, _ product: ProductRef
    ) throws(LicenseError) -> any Vault {
        let storage: LicenseStorage =
            if let folder = configuration.folder { .folder(folder) } else {
                .standard(keychain: configuration.keychain)
            }
        do throws(VaultError) {
            return try storage.vault(for: product, on: device)
        } catch {
            throw .unusable(error.message)
        }
    }
}

extension LicenseError {
    fileprivate static func unusable(_ message: String) -> LicenseError { LicenseError(.misconfigured, message) }
}

extension LicenseManager {
    /// Creates an app's manager for this device, with the system's clocks, storage and network.
    ///
    /// Nothing is read and no request is sent before ``checkOnLaunch()``. Keep one manager for the app's lifetime. To
    /// get a manager whose state is already decided, use ``opened(_:)``.
    ///
    /// - Throws: ``LicenseError``: `.misconfigured` if the configuration is invalid; `.noDevice` if this device has no
    ///   identifier. The message says what to do.
    public convenience init(_ configuration: LicenseConfiguration) throws(LicenseError) {
        CryptoLibrary.outliveExit()
        let device: ThisDevice
        do throws(DeviceIDError) {
            device = try ThisDevice.current(explicit: configuration.deviceIdentifier)
        } catch {
            throw LicenseError(.noDevice, error.message)
        }
        let parts = try LicenseParts(configuration, device: device, system: .current)
        self.init(
            engine: parts.engine, entitlements: configuration.entitlements,
            trialEntitlements: configuration.trialEntitlements,
            launchPatience: configuration.launchPatience, languages: configuration.languages, hear: configuration.log)
    }

    /// Creates an app's manager and decides its state from what is stored, within milliseconds and without a request.
    ///
    /// This way the first frame that the app draws is correct. Call ``checkOnLaunch()`` afterwards to contact the
    /// server.
    ///
    /// - Throws: ``LicenseError``, like ``init(_:)``.
    public static func opened(_ configuration: LicenseConfiguration) async throws(LicenseError) -> LicenseManager {
        let manager = try LicenseManager(configuration)
        manager.adopt(await manager.engine.stand(reading: true))
        return manager
    }
}
