public import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit

/// A device as a request names it.
public struct PresentedDevice: Sendable, Hashable {
    /// By what it is known from now on.
    public let identity: DeviceIdentity
    /// By what it is known if it took its place before hashes were compared in one case and long texts were digested;
    /// nil when that is the same.
    let former: DeviceIdentity?

    /// Reads what an app of the Keylight dialect says of itself.
    ///
    /// A hash counts in either case; of a text that is none, the digest is kept. A request's id names the request only
    /// if it is 1 to 64 printable bytes: what is longer is nobody's to store.
    init(machineHash: String?, freeTierInstance: String?, instanceName: String, request: String?) {
        let identity = DeviceIdentity(
            machineHash: machineHash.map(Self.comparable), freeTierInstance: freeTierInstance,
            instanceName: instanceName, request: request.flatMap { Self.isPrintable($0) ? $0 : nil })
        let former =
            machineHash.flatMap(Self.inCapitals)
            ?? DeviceIdentity(
                machineHash: machineHash, freeTierInstance: freeTierInstance, instanceName: instanceName,
                request: request)
        self.init(identity, former: former)
    }

    /// Reads the hash that the Tenure dialect knows devices by; nil is a device that says nothing of itself.
    init(_ hash: DeviceHash?) {
        self.init(hash.map { .machine($0.text) } ?? .anonymous, former: hash.flatMap { Self.inCapitals($0.text) })
    }

    private init(_ identity: DeviceIdentity, former: DeviceIdentity?) {
        self.identity = identity
        self.former = former == identity ? nil : former
    }

    private static func comparable(_ hash: String) -> String {
        if hash.isEmpty { return "" }
        return isHash(hash) ? hash.lowercased() : "sha256:" + Hex.encode(Digest.sha256(of: hash).bytes)
    }

    /// How a hash in small letters may have been sent before; nil for anything else.
    private static func inCapitals(_ hash: String) -> DeviceIdentity? {
        isHash(hash) && hash == hash.lowercased() ? .machine(hash.uppercased()) : nil
    }

    private static func isHash(_ text: String) -> Bool { Hex.decode(text.lowercased())?.count == 32 }

    private static func isPrintable(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
