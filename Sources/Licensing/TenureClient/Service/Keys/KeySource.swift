import TenureCore
import TenureCrypto
package import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureLicensing

/// Which signing keys a client trusts in addition to those that the app was built with.
public enum KeyTrust: Sendable, Hashable {
    /// Only keys in a keyset that is signed with a trusted key.
    ///
    /// Third-party servers have no such keysets. For those, build the next key into the app before the server signs
    /// with it.
    case pinned
    /// Also keys that the server sends over TLS.
    ///
    /// The vendor then doesn't have to build in any keys. However, anyone who can make this device trust a TLS
    /// certificate can create licenses for it.
    case served
}

/// Fetches signing keys that the client doesn't have yet; each fetch is one request.
package struct KeySource: Sendable {
    let address: ServiceAddress
    let sdkKey: String?
    let exchange: Exchange
    let keys: VouchedKeys

    /// Creates a source that adds the fetched keys to `keys`.
    package init(_ address: ServiceAddress, sdkKey: String?, over exchange: Exchange, into keys: VouchedKeys) {
        self.address = address
        self.sdkKey = sdkKey
        self.exchange = exchange
        self.keys = keys
    }

    /// Whether fetching keys may help with a statement or lease that failed verification.
    package func mayHelp(_ problem: LeaseProblem) -> Bool {
        problem == .unknownKey || problem == .badSignature && keys.believesServed
    }

    /// Fetches keys once: served keys if the app trusts them, otherwise a keyset signed with a trusted key.
    ///
    /// Signed keysets are part of the Tenure dialect; third-party servers have none.
    ///
    /// Throws ``RequestFailure`` if the request fails or the keys can't be verified.
    package func fetch() async throws(RequestFailure) {
        if keys.believesServed { try await fetchServed() } else { try await fetchVouched() }
    }

    private func fetchVouched() async throws(RequestFailure) {
        let kids = keys.trusted.kids.filter { $0.utf8.allSatisfy(Self.isUnreserved) }.prefix(16)
        let nonce = StatementNonce.random()
        let object = try await object(
            at: "/v1/\(address.product.tenant)/\(address.product.product)/leases/keyset?nonce=\(nonce)"
                + (kids.isEmpty ? "" : "&kid=" + kids.joined(separator: ",")))
        let bindings = StatementBindings(product: address.product, occasion: .answer(to: nonce))
        do throws(FormatError) {
            let bytes = Array((object.string("keyset").value ?? "").utf8)
            let keyset = try UnverifiedTenureKeyset(compact: bytes).verify(bindings, trusting: keys.trusted)
            try keys.adopt(keyset, signed: bytes)
        } catch {
            throw Self.unknown
        }
    }

    private func fetchServed() async throws(RequestFailure) {
        let object = try await object(at: "/\(address.product.tenant)/.well-known/keylight-keys")
        guard let keyset = try? KeylightKeyset(object) else {
            throw RequestFailure(.unverified, "The server's keyset can't be read.")
        }
        keys.learn(keyset.trusted)
    }

    private func object(at path: String) async throws(RequestFailure) -> FlatObject {
        let headers: Headers = sdkKey.map { ["Tenure-SDK-Key": $0] } ?? [:]
        switch await exchange.send(.get(address.url(path), headers: headers)) {
        case .nothing(let unreached): throw unreached
        case .said(200...299, let object): return object
        case .said: throw Self.unknown
        }
    }

    private static let unknown = RequestFailure(
        .unverified,
        "The response is signed with a key that this version of the app doesn't know and can't trust. "
            + "Update the app.")

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}

extension StatementNonce {
    /// A new nonce of 16 random bytes.
    package static func random() -> StatementNonce {
        guard let nonce = StatementNonce(bytes: SecureRandom.bytes(16)) else {
            preconditionFailure("a nonce may have 16 bytes")
        }
        return nonce
    }
}
