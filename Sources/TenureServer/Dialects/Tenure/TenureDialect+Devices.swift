import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit

extension TenureDialect {
    /// The devices of the license, for one of them.
    func respondToDevices(
        _ request: Request, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(TenureFailure) -> Response {
        let holder = try await holder(try TenureBody(request), product, snapshot)
        return try await devices(for: holder)
    }

    /// Releases another device of the license, if the policy lets holders do that.
    func respondToReleaseDevice(
        _ request: Request, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(TenureFailure) -> Response {
        let body = try TenureBody(request)
        let target = try body.required("release", "a UUID") { ActivationID(text: $0) }
        let holder = try await holder(body, product, snapshot)
        let refusal = try await passing { () async throws(ServerError) in
            try await self.releaseByHolder(target, of: holder.license.id, askedFrom: holder.activation)
        }
        if let refusal { throw try refusing(refusal, holder.ask, under: holder.snapshot) }
        return try await devices(for: holder)
    }

    /// A device that has shown its own place of a license, and a lease of it.
    private struct Holder {
        let ask: LeaseAsk
        let activation: ActivationID
        let license: License
        let snapshot: CatalogSnapshot
    }

    private func holder(
        _ body: TenureBody, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(TenureFailure) -> Holder {
        let ask = try body.askWithActivation(about: product.ref)
        let shown = try body.required("lease", "a lease", longest: TenureBody.longest) { Array($0.utf8) }
        guard let key = ask.key, let activation = ask.activation else {
            throw TenureFailure(422, code: "field_missing", "The field \"licenseKey\" is missing.")
        }
        let outcome = try await passing { () async throws(ServerError) in
            try await self.validate(key, activation: activation, of: product.ref, from: ask.identity)
        }
        switch outcome {
        case .unknown(let refusal): throw try refusing(refusal, ask, under: snapshot)
        case .answered(let license, .refused(let refusal, let terms), let snapshot):
            throw try refusing(
                refusal, ask, lease: terms.map { ask.lease($0, of: license, to: activation) }, under: snapshot)
        case .answered(let license, .valid, let snapshot):
            try check(shown, of: license, for: ask, under: snapshot)
            return Holder(ask: ask, activation: activation, license: license, snapshot: snapshot)
        }
    }

    /// The lease shown must be this device's, of this license, and still hold.
    private func check(
        _ shown: [UInt8], of license: License, for ask: LeaseAsk, under snapshot: CatalogSnapshot
    ) throws(TenureFailure) {
        let ring = try keyRing(of: ask.product.tenant, under: snapshot)
        let keys = Dictionary(uniqueKeysWithValues: ring.keys.map { ($0.kid, $0.privateKey.publicKey) })
        let bindings = StatementBindings(
            product: ask.product, keyHash: ask.key?.hash, device: ask.device, activation: ask.activation,
            occasion: .kept(at: clock.now()))
        let lease = try? UnverifiedTenureLease(compact: shown).verify(bindings, trusting: TrustedKeys(pinned: keys))
        guard lease?.license == license.id else {
            throw TenureFailure(
                422, code: "lease_not_valid",
                "The lease is not this device's lease of this license, or has lapsed. Renew it first.")
        }
    }

    private func devices(for holder: Holder) async throws(TenureFailure) -> Response {
        let (license, snapshot) = (holder.license, holder.snapshot)
        let found = try await passing { () async throws(ServerError) in
            let policy = try snapshot.policy(of: license)
            let (devices, left) = try await self.listDevices(of: license.id, under: policy)
            return (devices, left, policy.activationLimit)
        }
        let now = clock.now()
        let statement = TenureDevices(
            holder.ask.envelope(from: now, until: now.adding(seconds: TenureRefusal.lifetime)),
            activationLimit: found.2, selfRelease: found.1.map { .init(left: $0.left, nextAt: $0.nextAt) },
            devices: found.0.map {
                .init(activation: $0.id, name: $0.name, activatedAt: $0.activatedAt, lastSeenAt: $0.lastSeenAt)
            })
        return .statement("devices", try sign(statement, under: snapshot))
    }
}
