import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import TenureServerKit

extension TenureDialect {
    /// Returns the product's trial and free-tier terms for apps without a license.
    var product: Endpoint {
        let fields = Fields { fields in try fields.required("nonce", .nonce, in: .query) }
        return endpoint("GET", "product", catalog: .current, reads: fields) { [self] call, _ in
            let product = call.caller.product
            let terms = TenureProductTerms(
                longEnvelope(LeaseRequestFields(product.ref, nonce: call.input)), name: product.name,
                trialDays: product.trialDays, freeTier: product.freeTier)
            return try saying("product", terms, under: call.caller.snapshot)
        }
        .dated()
    }

    /// Returns the published keys, signed by the newest key that the app says it trusts.
    ///
    /// That key, which may be retired, makes the app trust the others. If the app trusts none of the tenant's keys, the
    /// primary one signs.
    var keyset: Endpoint {
        let fields = Fields { fields in
            let nonce = try fields.required("nonce", .nonce, in: .query)
            let trusted = try fields.optional("kid", .kids, in: .query) ?? []
            if trusted.count > 16 {
                throw Failure(FieldFault("kid", in: .query, .other("must list at most 16 keys")))
            }
            return (nonce: nonce, trusted: trusted)
        }
        return endpoint("GET", "keyset", catalog: .current, reads: fields) { [self] call, _ in
            let product = call.caller.product.ref
            let ring = try call.caller.snapshot.keyRing(of: product.tenant)
            let keyset = TenureKeyset(
                longEnvelope(LeaseRequestFields(product, nonce: call.input.nonce)), primaryKid: ring.primary.kid,
                keys: ring.published(at: clock.now()).map { .init(kid: $0.kid, publicKey: $0.privateKey.publicKey) })
            let voucher = ring.newest(of: call.input.trusted) ?? ring.primary
            return saying("keyset", signed: keyset.signed(kid: voucher.kid, with: voucher.privateKey))
        }
        .dated()
    }
}

extension FieldType where Value == [String] {
    /// Key ids, separated by commas.
    fileprivate static var kids: FieldType {
        .text("key ids separated by commas", like: "k1-q7d2", schema: .text()) {
            $0.utf8.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
