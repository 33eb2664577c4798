import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension KeylightDialect {
    func respondToValidate(_ request: Request, _ product: Product) async throws(KeylightFailure) -> Response {
        let body = try KeylightBody(request)
        let key = try body.licenseKey()
        let instance = try body.required("instance_id")
        // A text that is no UUID names no activation: the nil UUID, which is never given out, stands for it.
        let activation = ActivationID(text: instance) ?? ActivationID(high: 0, low: 0)
        let outcome: ValidateLicense.Outcome
        do throws(ServerError) {
            outcome = try await validate(key, activation: activation, of: product.ref)
        } catch {
            throw KeylightFailure(error)
        }
        switch outcome {
        case .unknown(let refusal):
            throw KeylightFailure(.unknownPlace, refusal, leading: [("valid", false)])
        case .answered(let license, .valid(let terms), let snapshot):
            let lease = try lease(terms, of: license, to: activation, snapshot)
            let configuration = try configuration(of: product, snapshot)
            return .json(
                JSONWriter.object { body in
                    body.member("valid", true)
                    body.member("license_expires_at", license.term.end?.seconds)
                    body.object("lease", lease.write)
                    configuration.write(into: &body)
                })
        case .answered(let license, .refused(let refusal, let terms), let snapshot):
            let lease = try terms.map { (terms) throws(KeylightFailure) -> KeylightLease in
                try self.lease(terms, of: license, to: activation, snapshot)
            }
            throw KeylightFailure(
                .refused, refusal, leading: license.recordedState.isFinal ? [] : [("valid", false)], lease: lease)
        }
    }
}
