import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension KeylightDialect {
    /// Nil, and nothing is saved, when the catalog is no longer this one.
    func respondToActivate(
        _ request: Request, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(KeylightFailure) -> Response? {
        let body = try KeylightBody(request)
        let key = try body.licenseKey()
        let name = try body.required("instance_name")
        let identity = DeviceIdentity(
            machineHash: try body.optional("machine_hash"),
            freeTierInstance: try body.optional("free_tier_instance_id"), instanceName: name,
            request: request.headers[Self.requestIDHeader])
        let outcome: ActivateLicense.Outcome?
        do throws(ServerError) {
            outcome = try await activate(key, of: product.ref, identity: identity, name: name, under: snapshot)
        } catch {
            throw KeylightFailure(error)
        }
        switch outcome {
        case nil:
            return nil
        case .unknown(let refusal):
            throw KeylightFailure(.unknownPlace, refusal, leading: [("activated", false)])
        case .answered(let license, .activated(let activation, let terms, _)):
            let lease = try lease(terms, of: license, to: activation.id, snapshot)
            return .json(
                JSONWriter.object { body in
                    body.member("activated", true)
                    body.member("instance_id", activation.id.description)
                    body.member("license_expires_at", license.term.end?.seconds)
                    body.object("lease", lease.write)
                })
        case .answered(let license, .refused(let refusal, let terms, let existing)):
            let lease = try terms.map { (terms) throws(KeylightFailure) -> KeylightLease in
                try self.lease(terms, of: license, to: existing?.id, snapshot)
            }
            throw KeylightFailure(Self.status(of: refusal), refusal, leading: [("activated", false)], lease: lease)
        }
    }

    /// A revoked or returned license answers like an unknown key, a full one with Keylight's 402.
    private static func status(of refusal: Refusal) -> KeylightFailure.Kind {
        switch refusal.first.code {
        case .licenseRevoked, .licenseReturned, .licenseUnknown: .unknownPlace
        case .activationLimitReached: .seatsTaken
        default: .refused
        }
    }
}
