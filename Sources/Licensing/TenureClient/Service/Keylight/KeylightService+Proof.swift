import TenureCore
import TenureCrypto
import TenureLicensing

extension KeylightService {
    /// Verifies a lease and turns it into an answer.
    func granted(
        _ lease: KeylightLease.Unverified, _ proof: KeylightProof, notBefore: Moment?
    ) async -> Answer<LeaseGrant> {
        switch await check(lease, proof, notBefore: notBefore) {
        case .failure(let unreached): return .unknown(unreached)
        case .success(let proven) where proven.facts.status == .expired:
            let reason = ToldReason(code: "license_expired", message: "The license has expired.")
            return .refused(refusal([reason], proven))
        case .success(let proven):
            return .success(
                LeaseGrant(facts: proven.facts, bytes: proven.bytes, serverTime: proven.facts.issuedAt))
        }
    }

    /// Verifies the lease that came with a refusal and turns both into an answer.
    ///
    /// The result is `.unknown` if the lease fails verification, because the response was tampered with. It's also
    /// `.unknown` if the lease is active, because the response contradicts itself.
    func refused(
        _ reasons: [ToldReason], _ lease: KeylightLease.Unverified?, _ proof: KeylightProof, notBefore: Moment?
    ) async -> Answer<LeaseGrant> {
        guard let lease else { return .refused(SignedRefusal(reasons: reasons)) }
        switch await check(lease, proof, notBefore: notBefore) {
        case .failure(let unreached): return .unknown(unreached)
        case .success(let proven) where proven.facts.status == .active:
            return .unknown(RequestFailure(.unverified, "The response refuses the license, but its lease grants it."))
        case .success(let proven): return .refused(refusal(reasons, proven))
        }
    }

    private func refusal(_ reasons: [ToldReason], _ proven: KeylightProof.Proven) -> SignedRefusal {
        SignedRefusal(
            reasons: reasons, lease: SignedRefusal.Lease(facts: proven.facts, bytes: proven.bytes),
            serverTime: proven.facts.issuedAt)
    }

    /// Verifies a lease; if its key is unknown, fetches the server's keys once and tries again.
    private func check(
        _ lease: KeylightLease.Unverified, _ proof: KeylightProof, notBefore: Moment?
    ) async -> Result<KeylightProof.Proven, RequestFailure> {
        do throws(LeaseProblem) {
            return fresh(try proof.check(lease, trusting: keys.all), notBefore: notBefore)
        } catch {
            guard source.mayHelp(error) else { return .failure(RequestFailure(error)) }
        }
        do throws(RequestFailure) {
            try await source.fetch()
        } catch {
            return .failure(error)
        }
        do throws(LeaseProblem) {
            return fresh(try proof.check(lease, trusting: keys.all), notBefore: notBefore)
        } catch {
            return .failure(RequestFailure(error))
        }
    }

    private func fresh(
        _ proven: KeylightProof.Proven, notBefore: Moment?
    ) -> Result<KeylightProof.Proven, RequestFailure> {
        if let notBefore, proven.facts.issuedAt < notBefore {
            return .failure(RequestFailure(LeaseProblem.outdated))
        }
        return .success(proven)
    }
}
