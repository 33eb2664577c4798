import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing

/// Random bytes never verify. Used as a signed payload, they are parsed or rejected, for every kind of statement; the
/// first byte chooses the kind.
let statements = FuzzTarget("TenureStatement", longest: 1024, cost: 20) { bytes in
    guard let kind = bytes.first else { return }
    let payload = Array(bytes.dropFirst())
    switch kind % 7 {
    case 0: attempt(payload, as: TenureLease.self)
    case 1: attempt(payload, as: TenureRefusal.self)
    case 2: attempt(payload, as: TenureTrial.self)
    case 3: attempt(payload, as: TenureProductTerms.self)
    case 4: attempt(payload, as: TenureKeyset.self)
    case 5: attempt(payload, as: TenureDevices.self)
    default: attempt(payload, as: TenureRelease.self)
    }
}

private func attempt<Statement: TenureStatement>(_ bytes: [UInt8], as type: Statement.Type) {
    guard let (key, bindings) = reader else { fail("there is nothing to verify with") }
    let trusted = TrustedKeys(pinned: ["k1": key.publicKey])
    if let forged = try? UnverifiedStatement<Statement>(compact: bytes) {
        expect((try? forged.verify(bindings, trusting: trusted)) == nil, "what nobody signed verified")
    }
    // Signing is slow, and the payload of a statement is always an object.
    guard (try? FlatObject(scanning: bytes)) != nil else { return }
    let input = JWSSigningInput(algorithm: .edDSA, type: type.type, payload: bytes) { $0.member("kid", "k1") }
    guard let signed = try? UnverifiedStatement<Statement>(compact: input.compact(signature: key.sign(input.bytes))),
        let said = try? signed.verify(bindings, trusting: trusted)
    else { return }
    let written = said.signed(kid: "k1", with: key)
    guard let copy = try? UnverifiedStatement<Statement>(compact: written) else {
        // Escapes may make the text longer when it is written. Being too long is then the only allowed error.
        expect(written.count > UnverifiedStatement<Statement>.longest, "what was written does not read")
        return
    }
    expect((try? copy.verify(bindings, trusting: trusted)) == said, "it reads differently the second time")
}

/// A key, and bindings that a short payload can match: an app on one device, with any activation.
private let reader: (Ed25519.PrivateKey, StatementBindings)? = {
    guard let tenant = TenantID("a"), let product = ProductID("b"),
        let key = try? Ed25519.PrivateKey(seed: [UInt8](repeating: 1, count: 32)),
        let device = DeviceHash(String(repeating: "0", count: 64)),
        let hash = Digest([UInt8](repeating: 0, count: 32))
    else { return nil }
    let ref = ProductRef(tenant: tenant, product: product)
    return (key, StatementBindings(product: ref, keyHash: hash, device: device, occasion: .record))
}()
