import TenureClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureFoundation
import TenureHTTP
import TenureHTTPClient
import TenureVault

extension ContentLibrary {
    /// This device's id for the vendor: 64 hexadecimal digits.
    ///
    /// The vendor's own server needs it to create a token for the holder on this device.
    ///
    /// - Throws: ``ContentError``: `.noDevice` or `.misconfigured`.
    @MainActor
    public static func device(_ configuration: ContentConfiguration) throws(ContentError) -> String {
        Hex.encode(try configuration.thisDevice().contentDevice(of: try configuration.tenantID()).bytes)
    }

    /// Opens a holder's library on this device without sending a request.
    ///
    /// Only one library per holder can be open at a time.
    ///
    /// - Throws: ``ContentError``: `.misconfigured`, `.noDevice`, `.inUse` or `.notRead`.
    @MainActor
    public static func open(
        _ configuration: ContentConfiguration, holder: String
    ) throws(ContentError) -> ContentLibrary {
        let tenant = try configuration.tenantID()
        guard let server = ServerAddressBase(configuration.server) else {
            throw ContentError(
                .misconfigured, "The server's URL must be https://HOST, or http:// on this device, without a query.")
        }
        guard (1...256).contains(holder.utf8.count) else {
            throw ContentError(.misconfigured, "A holder's name must have 1 to 256 bytes.")
        }
        if configuration.clockFile != nil, !server.isThisMachine {
            throw ContentError(.misconfigured, "A clock file works only with a server on this device.")
        }
        let device = try configuration.thisDevice()
        let owner = LedgerOwner(tenant: tenant, holder: holder, device: device.contentDevice(of: tenant))
        let clock: any DeviceClock =
            configuration.clockFile.map { VirtualDeviceClock(path: $0) } ?? SystemDeviceClock()
        let service = ContentService(
            server, owner: owner, keys: try configuration.keys(), over: configuration.transport(10, 60),
            quickly: configuration.transport(5, 10), now: { clock.read().wall.timestamp })
        let clocks = ContentClocks(device: clock, millis: ContentClocks.awakeMillis())
        do throws(VaultError) {
            return try ContentLibrary(
                owner: owner,
                disk: try LedgerFile(folder: try configuration.folder(tenant), name: owner.fileName),
                binding: device.binding, service: service, clocks: clocks, mediaCheck: configuration.mediaCheck,
                mediaRemoval: configuration.mediaRemoval, keySystem: configuration.keySystem)
        } catch {
            throw ContentError(error)
        }
    }
}

extension ContentConfiguration {
    fileprivate func transport(_ connect: Int, _ whole: Int) -> any HTTPTransport {
        var options = TransportOptions()
        options.connectTimeout = .seconds(connect)
        options.timeout = .seconds(whole)
        // A response can contain 100 items, each with a grant or refusal.
        options.responseLimit = 1 << 20
        options.pinnedKeys = serverKeys
        return LazyTransport(options)
    }

    fileprivate func tenantID() throws(ContentError) -> TenantID {
        guard let tenant = TenantID(tenant) else {
            throw ContentError(.misconfigured, "A tenant's name consists of 1 to 64 characters from a-z, 0-9, _ and -.")
        }
        return tenant
    }

    @MainActor
    fileprivate func thisDevice() throws(ContentError) -> ThisDevice {
        // Computing the device's id is the program's first use of the cryptographic library.
        CryptoLibrary.outliveExit()
        do throws(DeviceIDError) {
            return try ThisDevice.current(explicit: deviceIdentifier)
        } catch {
            throw ContentError(.noDevice, error.message)
        }
    }

    fileprivate func keys() throws(ContentError) -> ContentKeys {
        do throws(BuiltInKeys.Unusable) {
            let keys = try BuiltInKeys.read(signingKeys, trust: keyTrust)
            return ContentKeys(pinned: keys, trust: keyTrust)
        } catch {
            throw ContentError(.misconfigured, error.message)
        }
    }

    fileprivate func folder(_ tenant: TenantID) throws(VaultError) -> String {
        if let folder { return folder }
        let folder = "tenure/\(tenant.text).content"
        #if canImport(Darwin)
            let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            guard let data = folders.first else {
                throw VaultError(.unreadable, "There is no folder for this app's data. Set one in the configuration.")
            }
            return "\(data.path)/\(folder)"
        #else
            return "\(try DataHome.path())/\(folder)"
        #endif
    }
}
