import TenureCore
import TenureFormats
import TenureLicensing

extension KeylightService {
    package func configuration() async -> Answer<ProductTerms> {
        switch await exchange.send(requests.configuration()) {
        case .nothing(let unreached): return .unknown(unreached)
        case .said(200...299, let object):
            guard let unverified = try? KeylightProductConfiguration.Unverified(object) else {
                return .unknown(RequestFailure(.unverified, "The product's configuration can't be read."))
            }
            let first = verify(unverified)
            guard case .failure(let problem) = first, let cause = problem.cause, source.mayHelp(cause) else {
                return Self.answer(first)
            }
            do throws(RequestFailure) {
                try await source.fetch()
            } catch {
                return .unknown(error)
            }
            return Self.answer(verify(unverified))
        case .said(let status, _):
            return .unknown(
                RequestFailure(.misconfigured, "The license server does not know this product (\(status))."))
        }
    }

    /// Adds the terms that came with an answer, if a trusted key signed them; an unknown key isn't fetched.
    func withTerms(in object: FlatObject?, _ answer: Answer<LeaseGrant>) -> Answer<LeaseGrant> {
        guard let object, let unverified = try? KeylightProductConfiguration.Unverified(object),
            let terms = try? verify(unverified).get()
        else { return answer }
        return switch answer {
        case .success(let grant):
            .success(LeaseGrant(facts: grant.facts, bytes: grant.bytes, terms: terms, serverTime: grant.serverTime))
        case .refused(let refusal):
            .refused(
                SignedRefusal(
                    reasons: refusal.reasons, lease: refusal.lease, serverTime: refusal.serverTime, terms: terms))
        case .unknown: answer
        }
    }

    private struct Problem: Error {
        let message: String
        var cause: LeaseProblem?
    }

    private static func answer(_ result: Result<ProductTerms, Problem>) -> Answer<ProductTerms> {
        switch result {
        case .success(let terms): .success(terms)
        case .failure(let problem): .unknown(RequestFailure(.unverified, problem.message))
        }
    }

    private func verify(_ unverified: KeylightProductConfiguration.Unverified) -> Result<ProductTerms, Problem> {
        switch unverified.verifyAuthor(for: requests.address.product, trusting: keys.all) {
        case .trusted(let signed):
            // Only the end is checked. A configuration dated in the future means that a clock is wrong. Rejecting it
            // would leave the user with neither a trial nor the free plan. So would rejecting a new configuration
            // after trusted time was ahead by more than its validity.
            let end = signed.claims.expiresAt.adding(seconds: KeylightLease.skewAllowance)
            guard now() <= end || mayCorrectMark(signed.claims.issuedAt) else {
                return .failure(Problem(message: "The product's configuration is out of date."))
            }
            return .success(
                ProductTerms(
                    trialDays: Int(clamping: signed.claims.trialDurationDays), freeTier: signed.claims.freeTierEnabled,
                    signedAt: Moment(signed.claims.issuedAt)))
        case .unknownKid:
            return .failure(
                Problem(message: "The product's configuration is signed with an unknown key.", cause: .unknownKey))
        case .badSignature:
            return .failure(
                Problem(message: "The signature of the product's configuration isn't valid.", cause: .badSignature))
        case .unsigned, .outsideWindow:
            return .failure(Problem(message: "The product's configuration isn't signed."))
        }
    }
}
