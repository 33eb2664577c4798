import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats

/// Fuzzes all content statements.
///
/// Random bytes never verify. Used as a signed payload, they are parsed or rejected, and a parsed grant has a status at
/// any time.
@_cdecl("LLVMFuzzerTestOneInput")
public func verifyContentStatements(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let grant = attempt(bytes, as: ContentGrant.self) { play(grant) }
    _ = attempt(bytes, as: ContentRefusal.self)
    _ = attempt(bytes, as: ContentTime.self)
    return 0
}

private func attempt<Statement: ContentStatement>(_ bytes: [UInt8], as type: Statement.Type) -> Statement? {
    guard let (key, tenant) = Reader.only else { preconditionFailure("there is nothing to verify with") }
    let trusted = TrustedKeys(pinned: ["k1": key.publicKey])
    if let forged = try? UnverifiedContentStatement<Statement>(compact: bytes) {
        precondition((try? forged.verify(of: tenant, trusting: trusted)) == nil, "what nobody signed verified")
    }
    let input = JWSSigningInput(algorithm: .edDSA, type: type.type, payload: bytes) { $0.member("kid", "k1") }
    let compact = input.compact(signature: key.sign(input.bytes))
    guard let signed = try? UnverifiedContentStatement<Statement>(compact: compact),
        let said = try? signed.verify(of: tenant, trusting: trusted)
    else { return nil }
    guard let copy = try? UnverifiedContentStatement<Statement>(compact: said.signed(kid: "k1", with: key)) else {
        // Escapes may make the text longer when it is written. Being too long is then the only allowed error.
        precondition(said.signed(kid: "k1", with: key).count > UnverifiedContentStatement<Statement>.longest)
        return nil
    }
    precondition((try? copy.verify(of: tenant, trusting: trusted)) == said, "it reads differently the second time")
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
        precondition(ledger.used.playSeconds <= grant.terms.playSeconds ?? .max, "more was charged than there is")
    }
}

private enum Reader {
    static let only: (Ed25519.PrivateKey, TenantID)? = {
        guard let tenant = TenantID("a"), let key = try? Ed25519.PrivateKey(seed: [UInt8](repeating: 1, count: 32))
        else { return nil }
        return (key, tenant)
    }()
}
