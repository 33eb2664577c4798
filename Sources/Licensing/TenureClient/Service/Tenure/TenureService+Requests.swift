import TenureCore
import TenureFormats
import TenureLicensing

extension TenureService {
    private typealias Verified<Statement> = (statement: Statement, bytes: [UInt8])

    /// Requests a lease; an expired lease counts as a refusal.
    func grant(_ request: TenureRequests.SentRequest, _ bindings: StatementBindings) async -> Answer<LeaseGrant> {
        let answer = await send(request, "lease", bindings) { (lease: TenureLease, bytes) in
            LeaseGrant(
                facts: LeaseFacts(lease), bytes: bytes, serverTime: Moment(lease.envelope.issuedAt))
        }
        guard case .success(let grant) = answer, grant.facts.status == .expired else { return answer }
        let reason = ToldReason(code: "license_expired", message: "The license has expired.")
        return .refused(
            SignedRefusal(
                reasons: [reason], lease: SignedRefusal.Lease(facts: grant.facts, bytes: grant.bytes),
                serverTime: grant.serverTime))
    }

    /// Sends a request, and verifies the statement or refusal in the response.
    func send<Statement: TenureStatement, Value: Sendable>(
        _ request: TenureRequests.SentRequest, _ member: String, _ bindings: StatementBindings,
        _ read: (Statement, [UInt8]) -> Value
    ) async -> Answer<Value> {
        switch await exchange.send(request.request) {
        case .nothing(let unreached): return .unknown(unreached)
        case .said(200...299, let object):
            guard let text = object.string(member).value else {
                return .unknown(
                    RequestFailure(.captive, "The response contains no \(member), so it isn't from the license server.")
                )
            }
            do throws(RequestFailure) {
                let statement: Verified<Statement> = try await verified(text, bindings)
                return .success(read(statement.statement, statement.bytes))
            } catch {
                return .unknown(error)
            }
        case .said(let status, let object):
            guard let text = object.string("refusal").value else {
                return .unknown(Self.unsigned(status, object))
            }
            do throws(RequestFailure) {
                return .refused(try await no(text, object.string("lease").value, bindings))
            } catch {
                return .unknown(error)
            }
        }
    }

    /// Verifies a refusal and the lease that came with it; an invalid lease makes the whole response invalid.
    private func no(
        _ text: String, _ lease: String?, _ bindings: StatementBindings
    ) async throws(RequestFailure) -> SignedRefusal {
        let refusal: TenureRefusal = try await verified(text, bindings).statement
        var fallbackLease: SignedRefusal.Lease?
        if let lease {
            let verifiedLease: Verified<TenureLease> = try await verified(lease, bindings)
            guard verifiedLease.statement.status != .active else {
                throw RequestFailure(.unverified, "The response refuses the license, but its lease grants it.")
            }
            fallbackLease = SignedRefusal.Lease(facts: LeaseFacts(verifiedLease.statement), bytes: verifiedLease.bytes)
        }
        return SignedRefusal(
            reasons: refusal.reasons.map(ToldReason.init), lease: fallbackLease,
            serverTime: Moment(refusal.envelope.issuedAt))
    }

    /// Verifies a statement; if its key is unknown, fetches the server's keys once and tries again.
    private func verified<Statement: TenureStatement>(
        _ text: String, _ bindings: StatementBindings
    ) async throws(RequestFailure) -> Verified<Statement> {
        let bytes = Array(text.utf8)
        do throws(FormatError) {
            return (try UnverifiedStatement<Statement>(compact: bytes).verify(bindings, trusting: keys.trusted), bytes)
        } catch {
            let problem = LeaseProblem(error)
            guard source.mayHelp(problem) else { throw RequestFailure(problem) }
        }
        try await source.fetch()
        do throws(FormatError) {
            return (try UnverifiedStatement<Statement>(compact: bytes).verify(bindings, trusting: keys.trusted), bytes)
        } catch {
            throw RequestFailure(LeaseProblem(error))
        }
    }

    /// Converts an error without a signed refusal, which is about the app's settings and says nothing about a license.
    private static func unsigned(_ status: Int, _ object: FlatObject) -> RequestFailure {
        guard let code = object.string("code").value, ToldReason.isCode(code) else {
            return RequestFailure(.captive, "The response (\(status)) doesn't have the license server's format.")
        }
        let detail = ToldReason.cleaned(object.string("detail").value) ?? "no reason was given"
        return RequestFailure(
            .misconfigured, "The license server rejected the app's request (status \(status)): \(detail)",
            code: code)
    }

    package func places(
        of activation: HeldActivation, lease: [UInt8], freeing other: String?
    ) async -> Answer<ActivatedDevices> {
        let request = requests.places(of: activation, lease: lease, freeing: other)
        guard let bindings = bindings(request, activation) else { return .unknown(Self.notOurs) }
        return await send(request, "devices", bindings) { (devices: TenureDevices, _) in
            ActivatedDevices(
                places: devices.devices.map { device in
                    ActivatedDevices.Place(
                        activation: device.activation.description, name: ToldReason.cleaned(device.name) ?? "",
                        system: device.system, activatedAt: Moment(device.activatedAt),
                        lastSeenAt: Moment(device.lastSeenAt))
                },
                total: devices.total, limit: devices.activationLimit, releasesLeft: devices.selfRelease?.left,
                nextRelease: devices.selfRelease?.nextAt.map(Moment.init), serverTime: Moment(devices.envelope.issuedAt)
            )
        }
    }
}
