import TenureCore
import TenureCrypto
package import TenureFormats
import TenureHTTPClient

/// Which signing keys a client believes besides those that the app was built with.
public enum KeyTrust: Sendable, Hashable {
    /// Those that a believed key vouches for in a signed keyset, and no others. A server of another make than Tenure has
    /// none: build the app with the next key before such a server signs with it.
    case pinned
    /// Also those that the server shows over TLS. Whoever can make this device trust a certificate can then make
    /// licenses on it; in return the vendor need not build any key in.
    case served
}

/// Where a client looks for signing keys that it does not know yet. One look costs one request.
package struct KeySource: Sendable {
    let address: ServiceAddress
    let sdkKey: String?
    let exchange: Exchange
    let keys: VouchedKeys

    /// Looks for keys at a product's server.
    package init(_ address: ServiceAddress, sdkKey: String?, over exchange: Exchange, into keys: VouchedKeys) {
        self.address = address
        self.sdkKey = sdkKey
        self.exchange = exchange
        self.keys = keys
    }

    /// Whether another look may help, for a statement or lease that did not verify.
    package func mayHelp(_ problem: LeaseProblem) -> Bool {
        problem == .unknownKey || problem == .badSignature && keys.believesServed
    }

    /// Looks once: for keys that a trusted one vouches for, or where the app believes those, for served ones.
    ///
    /// Vouched keys are a signed keyset of the Tenure dialect; a server of another make has none.
    /// Throws ``Unreached``.
    package func fetch() async throws(Unreached) {
        if keys.believesServed { try await fetchServed() } else { try await fetchVouched() }
    }

    private func fetchVouched() async throws(Unreached) {
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

    private func fetchServed() async throws(Unreached) {
        let object = try await object(at: "/\(address.product.tenant)/.well-known/keylight-keys")
        guard let keyset = try? KeylightKeyset(object) else {
            throw Unreached(.unverified, "The server's keyset cannot be read.")
        }
        keys.learn(keyset.trusted)
    }

    private func object(at path: String) async throws(Unreached) -> FlatObject {
        let fields: HTTPFields = sdkKey.map { ["Tenure-SDK-Key": $0] } ?? [:]
        switch await exchange.send(.get(address.url(path), fields: fields)) {
        case .nothing(let unreached): throw unreached
        case .said(200...299, let object): return object
        case .said: throw Self.unknown
        }
    }

    private static let unknown = Unreached(
        .unverified,
        "The answer is signed with a key that this app does not know, and no key that it knows vouches for it; "
            + "a newer app may know it.")

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}

extension StatementNonce {
    /// A new one, of 16 random bytes.
    package static func random() -> StatementNonce {
        guard let nonce = StatementNonce(bytes: SecureRandom.bytes(16)) else {
            preconditionFailure("a nonce may have 16 bytes")
        }
        return nonce
    }
}
