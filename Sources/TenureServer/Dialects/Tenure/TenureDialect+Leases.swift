import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension TenureDialect {
    /// Nil, and nothing is saved, when the catalog is no longer this one.
    func respondToActivate(
        _ request: Request, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(TenureFailure) -> Response? {
        let body = try TenureBody(request)
        let ask = try body.askWithKey(about: product.ref)
        let key = try presentedKey(ask)
        let name = try body.optional("name") ?? ""
        let outcome = try await passing { () async throws(ServerError) in
            try await self.activate(key, of: product.ref, identity: ask.identity, name: name, under: snapshot)
        }
        switch outcome {
        case nil:
            return nil
        case .unknown(let refusal):
            throw try refusing(refusal, ask, under: snapshot)
        case .answered(let license, .activated(let activation, let terms, _)):
            return .statement("lease", try sign(ask.lease(terms, of: license, to: activation.id), under: snapshot))
        case .answered(let license, .refused(let refusal, let terms, let existing)):
            throw try refusing(
                refusal, ask, lease: terms.map { ask.lease($0, of: license, to: existing?.id) }, under: snapshot)
        }
    }

    func respondToRenew(_ request: Request, _ product: Product) async throws(TenureFailure) -> Response {
        let ask = try TenureBody(request).askWithActivation(about: product.ref)
        let key = try presentedKey(ask)
        let activation = ask.activation ?? ActivationID(high: 0, low: 0)
        let outcome = try await passing { () async throws(ServerError) in
            try await self.validate(key, activation: activation, of: product.ref, from: ask.identity)
        }
        switch outcome {
        case .unknown(let refusal):
            throw try refusing(refusal, ask, under: catalog.current)
        case .answered(let license, .valid(let terms), let snapshot):
            return .statement("lease", try sign(ask.lease(terms, of: license, to: activation), under: snapshot))
        case .answered(let license, .refused(let refusal, let terms), let snapshot):
            throw try refusing(
                refusal, ask, lease: terms.map { ask.lease($0, of: license, to: activation) }, under: snapshot)
        }
    }

    func respondToRelease(
        _ request: Request, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(TenureFailure) -> Response {
        let ask = try TenureBody(request).askWithActivation(about: product.ref)
        let key = try presentedKey(ask)
        let activation = ask.activation ?? ActivationID(high: 0, low: 0)
        let refusal = try await passing { () async throws(ServerError) in
            try await self.deactivate(activation, under: key, of: product.ref, from: ask.identity)
        }
        if let refusal { throw try refusing(refusal, ask, under: snapshot) }
        let now = clock.now()
        let release = TenureRelease(ask.envelope(from: now, until: now.adding(seconds: TenureRefusal.lifetime)))
        return .statement("release", try sign(release, under: snapshot))
    }

    private func presentedKey(_ ask: LeaseAsk) throws(TenureFailure) -> PresentedKey {
        guard let key = ask.key else {
            throw TenureFailure(422, code: "field_missing", "The field \"licenseKey\" is missing.")
        }
        return key
    }
}
