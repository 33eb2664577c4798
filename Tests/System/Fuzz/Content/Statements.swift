import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats

/// Random bytes never verify. Used as a signed payload, they are parsed or rejected, and a parsed grant has a status at
/// any time. The first byte chooses the kind of statement.
let contentStatements = FuzzTarget("ContentStatement", longest: 1024, cost: 20) { bytes in
    guard let kind = bytes.first else { return }
    let payload = Array(bytes.dropFirst())
    switch kind % 3 {
    case 0: if let grant = attempt(payload, as: ContentGrant.self) { play(grant) }
    case 1: _ = attempt(payload, as: ContentRefusal.self)
    default: _ = attempt(payload, as: ContentTime.self)
    }
}

private func attempt<Statement: ContentStatement>(_ bytes: [UInt8], as type: Statement.Type) -> Statement? {
    guard let (key, tenant) = reader else { fail("there is nothing to verify with") }
    let trusted = TrustedKeys(pinned: ["k1": key.publicKey])
    if let forged = try? UnverifiedContentStatement<Statement>(compact: bytes) {
        expect((try? forged.verify(of: tenant, trusting: trusted)) == nil, "what nobody signed verified")
    }
    // Signing is slow, and the payload of a statement is always an object.
    guard (try? FlatObject(scanning: bytes)) != nil else { return nil }
    let input = JWSSigningInput(algorithm: .edDSA, type: type.type, payload: bytes) { $0.member("kid", "k1") }
    let compact = input.compact(signature: key.sign(input.bytes))
    guard let signed = try? UnverifiedContentStatement<Statement>(compact: compact),
        let said = try? signed.verify(of: tenant, trusting: trusted)
    else { return nil }
    let written = said.signed(kid: "k1", with: key)
    guard let copy = try? UnverifiedContentStatement<Statement>(compact: written) else {
        // Escapes may make the text longer when it is written. Being too long is then the only allowed error.
        expect(written.count > UnverifiedContentStatement<Statement>.longest, "what was written does not read")
        return nil
    }
    expect((try? copy.verify(of: tenant, trusting: trusted)) == said, "it reads differently the second time")
    return said
}

/// Plays under any limits that were parsed: no number in them may crash the rules.
private func play(_ grant: ContentGrant) {
    var ledger = ContentLedger(grant)
    for seconds in [Int64.min, -1, 0, 1, .max] {
        let now = Timestamp(seconds: seconds)
        let moment = ContentStatus.Moment(now, signedAt: now)
        _ = grant.status(of: ledger, at: moment)
        let id = PlaySessionID(high: 0, low: UInt64(bitPattern: seconds))
        guard let opened = ledger.opening(id, under: grant, at: moment).outcome else { continue }
        ledger = opened
        ledger.beat(wall: seconds, rendered: seconds, under: grant, at: now)
        _ = grant.goingOn(of: ledger, at: moment)
        ledger.recover(under: grant, at: now)
        expect(ledger.used.playSeconds <= grant.terms.playSeconds ?? .max, "more was charged than there is")
    }
}

private let reader: (Ed25519.PrivateKey, TenantID)? = {
    guard let tenant = TenantID("a"), let key = try? Ed25519.PrivateKey(seed: [UInt8](repeating: 1, count: 32))
    else { return nil }
    return (key, tenant)
}()
