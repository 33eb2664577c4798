import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension TenureDialect {
    /// When this device's trial began: the same answer for ever, whatever the device has forgotten.
    func respondToTrial(
        _ request: Request, _ product: Product, _ snapshot: CatalogSnapshot
    ) async throws(TenureFailure) -> Response {
        let body = try TenureBody(request)
        let ask = try body.ask(about: product.ref)
        let claimed = try body.moment("startedAt")
        guard let device = ask.device.flatMap({ Hex.decode($0.text) }).flatMap({ Digest($0) }) else {
            throw TenureFailure(422, code: "field_missing", "The field \"device\" is missing.")
        }
        let outcome = try await passing { () async throws(ServerError) in
            try await self.trial(device, of: product.ref, claimed: claimed)
        }
        switch outcome {
        case .granted(let trial):
            let days = catalog.current.catalog[product.ref]?.trialDays ?? product.trialDays
            return .statement(
                "trial", try sign(TenureTrial(longEnvelope(ask), start: trial.start, days: days), under: snapshot))
        case .refused(let refusal):
            throw try refusing(refusal, ask, under: snapshot)
        case .later(let seconds):
            throw TenureFailure(
                429, code: "try_again", "Too many devices began a trial just now.",
                headers: ["Retry-After": String(max(1, seconds))])
        }
    }
}
