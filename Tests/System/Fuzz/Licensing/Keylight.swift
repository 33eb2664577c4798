import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing

@testable import TenureClient

private let key = try? Ed25519.PrivateKey(seed: [UInt8](repeating: 1, count: 32))

private let product: ProductRef? = TenantID("a").flatMap { tenant in
    ProductID("b").map { ProductRef(tenant: tenant, product: $0) }
}

/// A lease without a valid signature is never trusted, whatever the time.
let keylightLeases = FuzzTarget("KeylightLease", longest: 512, cost: 4) { bytes in
    guard let lease = try? KeylightLease.Unverified(json: bytes), let key else { return }
    for seconds in [Int64.min, 0, .max] {
        let verified = lease.verify(trusting: ["k1": key.publicKey], now: Timestamp(seconds: seconds))
        expect(!verified.signatureValid && verified.lease == nil, "a lease verified that nobody signed")
    }
}

let keylightConfigurations = FuzzTarget("KeylightConfiguration", longest: 256, cost: 2) { bytes in
    guard let object = try? FlatObject(scanning: bytes), let key, let product,
        let configuration = try? KeylightProductConfiguration.Unverified(object)
    else { return }
    for seconds in [Int64.min, 0, .max] {
        let now = Timestamp(seconds: seconds)
        if case .trusted = configuration.verify(for: product, trusting: ["k1": key.publicKey], now: now) {
            fail("a configuration verified that nobody signed")
        }
    }
}

/// A keyset is written back as the same keyset, and each of its keys can be looked up.
let keylightKeysets = FuzzTarget("KeylightKeyset", longest: 384) { bytes in
    guard let keyset = try? KeylightKeyset(json: bytes) else { return }
    expect((try? KeylightKeyset(json: keyset.json())) == keyset, "a keyset reads differently the second time")
    expect(keyset.trusted.count == keyset.keys.count && keyset.trusted[keyset.primaryKid] != nil, "a key is missing")
}

/// Any response of a server is read as one of the client's results, with printable texts.
let keylightAnswers = FuzzTarget("KeylightAnswer", longest: 640) { bytes in
    guard let first = bytes.first, let object = try? FlatObject(scanning: Array(bytes.dropFirst())) else { return }
    let status = [200, 201, 400, 402, 404, 422, 429, 500][Int(first & 7)]
    let answer = KeylightSaying(status: status, object, activating: first & 8 != 0, hasCodes: first & 16 != 0)
    switch answer {
    case .lease: expect(status < 300, "an error grants a lease")
    case .refused(let reasons, _):
        expect(status >= 400 && !reasons.isEmpty, "a refusal without a reason")
        reasons.forEach(check)
    case .notFound(let reason): check(reason)
    case .nothing: break
    }
    _ = KeylightSaying.showsCode(status, object)
}

func check(_ reason: ToldReason) {
    expect(ToldReason.isCode(reason.code), "a code that isn't one")
    for text in [reason.message, reason.cure ?? "-"] + Array((reason.evidence ?? [:]).values) {
        // Cutting a text within a character replaces the rest of the character, which is three bytes long.
        expect(!text.isEmpty && text.utf8.count <= ToldReason.textLimit + 6, "a text of another length")
        let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        expect(isPrintable, "a text with control characters")
    }
    expect((reason.evidence ?? [:]).count <= ToldReason.evidenceLimit, "too much evidence")
}
