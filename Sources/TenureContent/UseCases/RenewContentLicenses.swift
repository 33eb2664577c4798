import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// What a device asks about one of its licenses.
enum AskedItem: Sendable {
    /// It names a license and the version that it has; the grant was verified, and is nil where none came.
    case license(ContentLicenseID, version: Int64, grant: ContentGrant?)
    /// It does not read.
    case unread

    /// The license; nil where it does not read.
    var license: ContentLicenseID? { if case .license(let id, _, _) = self { id } else { nil } }
}

/// What a device reports, each entry a play or what does not read.
struct AskedUsage: Sendable {
    /// The entries, in order.
    let reports: [SessionReport?]

    /// Reports nothing.
    static let none = AskedUsage(reports: [])

    /// The licenses that are named, and the plays of them.
    var plays: [(license: ContentLicenseID, session: PlaySessionID)] {
        reports.compactMap { $0.map { ($0.license, $0.session) } }
    }
}

/// A renewal of many licenses with the usage that goes before it.
struct AskedRenewals: Sendable {
    let items: [AskedItem]
    let isAlways: Bool
    let usage: AskedUsage
}

extension ContentDialect {
    /// Renews a device's licenses, one answer for each, after its usage was settled.
    /// - Parameter token: What takes the place of the device's token, if that is due; the answer says whether it did.
    func renew(
        _ asked: AskedRenewals, by holder: PresentHolder, _ request: NamedRequest, token: HolderCredential?
    ) async throws(ServerError) -> DeviceRequests.Outcome<Bool> {
        let ids = Set(asked.items.compactMap(\.license) + asked.usage.plays.map(\.license)).sorted()
        let ahead = asked.items.compactMap { item -> ContentLicenseID? in
            if case .license(let id, _, let grant?) = item, grant.license == id { id } else { nil }
        }
        return try await DeviceRequests(catalog: catalog, clock: clock)(
            request, of: holder, naming: .init(licenses: ids, plays: asked.usage.plays, ahead: ahead)
        ) { state, scene in
            let settled = state.settle(asked.usage, scene)
            let played = scene.ahead.updated(by: settled.plays)
            var needs: Set<EnrolmentID> = []
            var answers: [ContentItemAnswer] = []
            for item in asked.items {
                guard case .license(let id, let version, let grant) = item else {
                    answers.append(.unread)
                    continue
                }
                guard let license = state.licenses[id] else {
                    answers.append(.unknown(id, version: version, in: holder.language))
                    continue
                }
                let ask = ContentRenewal(
                    version: version, isAlways: asked.isAlways, grant: grant, request: request.id)
                let answer =
                    scene.token.releasedAt != nil
                    ? .released(license)
                    : license.renew(
                        ask, offers: state.offers(of: license.present.content, besides: id, at: scene.now),
                        ahead: played, at: scene.now)
                needs.formUnion(state.needs(answer, after: license))
                state.apply(answer.consequences)
                if let after = answer.license { state.put(after.seen(at: scene.now, besides: license)) }
                answers.append(ContentItemAnswer(answer, to: request.id, in: holder.language, at: scene.now))
            }
            let replacing = state.replacing(scene.token, by: token, at: scene.now)
            let told = RenewalsAnswer(items: answers, usage: settled.told(of: state.licenses))
            return .init(
                reply: ContentReply { RenewalsAnswer.document.write(told, into: &$0) }, isKept: state.knowsAny,
                extra: !replacing.isEmpty, saves: settled.saves + replacing, needs: needs)
        }
    }

    /// Settles what a device reports, and nothing else.
    /// - Parameter token: What takes the place of the device's token, if that is due; the answer says whether it did.
    func settle(
        _ usage: AskedUsage, by holder: PresentHolder, _ request: NamedRequest, token: HolderCredential?
    ) async throws(ServerError) -> DeviceRequests.Outcome<Bool> {
        let ids = Set(usage.plays.map(\.license)).sorted()
        return try await DeviceRequests(catalog: catalog, clock: clock)(
            request, of: holder, naming: .init(licenses: ids, plays: usage.plays)
        ) { state, scene in
            let settled = state.settle(usage, scene)
            let replacing = state.replacing(scene.token, by: token, at: scene.now)
            let told = settled.told(of: state.licenses)
            return .init(
                reply: ContentReply { UsageAnswer.document.write(told, into: &$0) }, isKept: state.knowsAny,
                extra: !replacing.isEmpty, saves: settled.saves + replacing)
        }
    }
}

/// What became of reports.
struct SettledUsage: Sendable {
    /// The licenses that were reported on, with the highest sequence of each that was received.
    var settled: [(license: ContentLicenseID, sequence: Int64)] = []
    /// The entries that fit nowhere, by their place, and why.
    var refused: [(index: Int, code: Reason.Kind)] = []
    /// The plays as they are now.
    var plays: [SessionReport] = []
    /// What saves them.
    var saves: [Save] = []

    /// What is told of it, with the use that the server knows once the request has been decided.
    func told(of licenses: [ContentLicenseID: ContentLicense]) -> UsageAnswer {
        let settled = settled.compactMap { license, sequence in
            licenses[license].map {
                UsageAnswer.Settled(license: license, sequence: sequence, version: $0.version, used: $0.used)
            }
        }
        return UsageAnswer(settled: settled, refused: refused.map { .init(index: $0.index, code: $0.code) })
    }
}

extension HolderState {
    /// Settles reports license by license; what fits nowhere is told, and holds up nothing.
    mutating func settle(_ usage: AskedUsage, _ scene: DeviceRequests.Scene) -> SettledUsage {
        var outcome = SettledUsage()
        var ofLicenses: [ContentLicenseID: [SessionReport]] = [:]
        for (index, report) in usage.reports.enumerated() {
            guard let report else {
                outcome.refused.append((index, .fieldInvalid))
                continue
            }
            guard licenses[report.license] != nil else {
                outcome.refused.append((index, .contentLicenseUnknown))
                continue
            }
            ofLicenses[report.license, default: []].append(report)
        }
        let known = Dictionary(grouping: scene.plays, by: \.license)
        for (id, reports) in ofLicenses.sorted(by: { $0.key < $1.key }) {
            guard let license = licenses[id] else { continue }
            let before = known[id] ?? []
            let (after, sessions, events) = license.settling(reports, known: before, at: scene.now)
            put(after.seen(at: scene.now, besides: license))
            record(events)
            outcome.settled.append((id, after.settled))
            outcome.plays += sessions
            outcome.saves += sessions.map { session in
                .put(
                    ReportedPlay(session),
                    over: before.first { $0.session == session.session }.map { ReportedPlay($0) })
            }
        }
        return outcome
    }

    /// Whether the request named anything that the device has. What named nothing is not kept: it costs no room.
    var knowsAny: Bool { !licenses.isEmpty }

    /// What saves a token's successor; nothing where none is given: it isn't due, or the device has no place in an open
    /// enrolment.
    func replacing(_ token: HolderCredential, by successor: HolderCredential?, at now: Timestamp) -> [Save] {
        guard let successor, let device = token.device, token.needsSuccessor(at: now), hasPlace(of: device, at: now)
        else { return [] }
        var succeeded = token
        succeeded.succeededAt = now
        return [.insert(successor), .replace(token, by: succeeded)]
    }

    private func hasPlace(of device: Digest, at now: Timestamp) -> Bool {
        enrolments.values.contains { enrolment in
            enrolment.obstacle(at: now) == nil && place(of: device, in: enrolment.id)?.state == .taken
        }
    }
}

extension [SessionReport] {
    /// The plays with later reports of them in their places.
    fileprivate func updated(by later: [SessionReport]) -> [SessionReport] {
        let names = Set(later.map(\.session))
        return filter { !names.contains($0.session) } + later
    }
}
