import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureServerKit

extension KeylightDialect {
    /// Counts an app without a license in the metrics, by its state, and returns the product's trial and free-tier
    /// settings.
    var keyless: Endpoint {
        let states = ["trial", "free_tier", "expired"]
        let fields = Fields { fields in
            _ = try fields.required("instance_id", .keylightText)
            return try fields.required("state", .choice(states, must: "trial, free_tier or expired", longest: 256))
        }
        return Endpoint(
            "POST", "/{tenant}/{product}/keyless", format: .keylight, catalog: .current, authentication: app,
            reads: fields
        ) {
            [self] call, _ in
            metrics.recordKeyless(state: call.input)
            return try answer(for: call.caller)
        }
    }

    /// Returns the product's trial and free-tier settings for apps without a license.
    var config: Endpoint {
        Endpoint(
            "GET", "/{tenant}/{product}/config", format: .keylight, catalog: .current, authentication: app, reads: .none
        ) {
            [self] call, _ in
            try answer(for: call.caller)
        }
        .dated()
    }

    /// Publishes the tenant's public signing keys.
    var keys: Endpoint {
        Endpoint(
            "GET", "/{tenant}/.well-known/keylight-keys", format: .keylight, catalog: .currentIfReachable,
            authentication: .tenant,
            reads: .none
        ) { [self] call in
            let keys = try call.caller.snapshot.publishedKeys(of: call.caller.tenant, at: clock.now())
            return .done(.json(try keys.keyset().json()))
        }
    }

    private func answer(for caller: AppCaller) throws(ServerError) -> Endpoint.Conclusion {
        let configuration = try configuration(of: caller.product, caller.snapshot)
        return .done(.json(JSONWriter.object { configuration.write(into: &$0) }))
    }

    func configuration(
        of product: Product, _ snapshot: CatalogSnapshot
    ) throws(ServerError) -> KeylightProductConfiguration {
        try configurations.configuration(of: product, under: snapshot, at: clock.now())
    }
}
