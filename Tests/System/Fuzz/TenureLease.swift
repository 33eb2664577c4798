import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing

/// Random bytes never verify. Used as a signed payload, they are parsed or rejected, for every kind of statement.
@_cdecl("LLVMFuzzerTestOneInput")
public func verifyTenureStatements(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    attempt(bytes, as: TenureLease.self)
    attempt(bytes, as: TenureRefusal.self)
    attempt(bytes, as: TenureTrial.self)
    attempt(bytes, as: TenureProductTerms.self)
    attempt(bytes, as: TenureKeyset.self)
    attempt(bytes, as: TenureDevices.self)
    return 0
}

private func attempt<Statement: TenureStatement>(_ bytes: [UInt8], as type: Statement.Type) {
    guard let (key, bindings) = Reader.only else { preconditionFailure("there is nothing to verify with") }
    let trusted = TrustedKeys(pinned: ["k1": key.publicKey])
    if let forged = try? UnverifiedStatement<Statement>(compact: bytes) {
        precondition((try? forged.verify(bindings, trusting: trusted)) == nil, "what nobody signed verified")
    }
    let input = JWSSigningInput(algorithm: .edDSA, type: type.type, payload: bytes) { $0.member("kid", "k1") }
    guard let signed = try? UnverifiedStatement<Statement>(compact: input.compact(signature: key.sign(input.bytes))),
        let said = try? signed.verify(bindings, trusting: trusted)
    else { return }
    guard let copy = try? UnverifiedStatement<Statement>(compact: said.signed(kid: "k1", with: key)) else {
        // Escapes may make the text longer when it is written. Being too long is then the only allowed error.
        precondition(said.signed(kid: "k1", with: key).count > UnverifiedStatement<Statement>.longest)
        return
    }
    precondition((try? copy.verify(bindings, trusting: trusted)) == said, "it reads differently the second time")
}

private enum Reader {
    /// A key, and bindings that a short payload can match: an app on one device, with any activation.
    static let only: (Ed25519.PrivateKey, StatementBindings)? = {
        guard let tenant = TenantID("a"), let product = ProductID("b"),
            let key = try? Ed25519.PrivateKey(seed: [UInt8](repeating: 1, count: 32)),
            let device = DeviceHash(String(repeating: "0", count: 64)),
            let hash = Digest([UInt8](repeating: 0, count: 32))
        else { return nil }
        let ref = ProductRef(tenant: tenant, product: product)
        return (key, StatementBindings(product: ref, keyHash: hash, device: device, occasion: .record))
    }()
}
