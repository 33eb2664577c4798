import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// An item of a renewal request, after its grant has been verified.
enum RequestedItem: Sendable {
    /// A license and its version on the device.
    ///
    /// The grant has been verified; it is `nil` if the device sent none or an invalid one.
    case license(ContentLicenseID, version: Int64, grant: ContentGrant?)
    /// An item that can't be read.
    case unread

    /// The id of the license; `nil` if the item can't be read.
    var license: ContentLicenseID? { if case .license(let id, _, _) = self { id } else { nil } }
}

/// A device's usage report.
struct ReportedUsage: Sendable {
    /// The entries in the order of the request; `nil` for one that can't be read.
    let reports: [SessionReport?]

    static let none = ReportedUsage(reports: [])

    /// The reported plays with their licenses.
    var plays: [(license: ContentLicenseID, session: PlaySessionID)] {
        reports.compactMap { $0.map { ($0.license, $0.session) } }
    }
}

/// A renewal request for several licenses, with the use that is settled first.
struct RequestedRenewals: Sendable {
    let items: [RequestedItem]
    let isAlways: Bool
    let usage: ReportedUsage
}

extension ContentContext {
    /// Counts the reported use, then renews a device's licenses, with one response for each.
    ///
    /// - Parameters:
    ///   - requested: The licenses and the use.
    ///   - request: The request's id.
    ///   - token: A replacement for the device's token, if one is due. The outcome says whether it was used.
    func renew(
        _ requested: RequestedRenewals, by holder: PresentHolder, _ request: NamedRequest, token: HolderCredential?
    ) async throws(ServerError) -> DeviceRequest.Outcome<Bool> {
        let ids = Set(requested.items.compactMap(\.license) + requested.usage.plays.map(\.license)).sorted()
        let ahead = requested.items.compactMap { item -> ContentLicenseID? in
            if case .license(let id, _, let grant?) = item, grant.license == id { id } else { nil }
        }
        return try await performOnce(
            request, of: holder, naming: .init(licenses: ids, plays: requested.usage.plays, ahead: ahead)
        ) { [catalog] state, context in
            let hasLostRecords = catalog.hasLostRecords
            let settled = state.recordUse(requested.usage, context, hasLostRecords: hasLostRecords)
            let played = context.ahead.updated(by: settled.plays)
            var needs: Set<EnrolmentID> = []
            var answers: [ContentItemAnswer] = []
            for item in requested.items {
                guard case .license(let id, let version, let grant) = item else {
                    answers.append(.unread)
                    continue
                }
                guard let license = state.licenses[id] else {
                    answers.append(
                        hasLostRecords
                            ? .missing(id, version: version, in: holder.language)
                            : .unknown(id, version: version, in: holder.language))
                    continue
                }
                let renewal = ContentRenewal(
                    version: version, isAlways: requested.isAlways, grant: grant, request: request.id)
                let answer =
                    context.token.releasedAt != nil
                    ? .released(license)
                    : license.renew(
                        renewal, offers: state.offers(of: license.present.content, besides: id, at: context.now),
                        ahead: played, at: context.now)
                needs.formUnion(state.needs(answer, after: license))
                state.apply(answer.consequences)
                if let after = answer.license { state.put(after.seen(at: context.now, besides: license)) }
                answers.append(ContentItemAnswer(answer, to: request.id, in: holder.language, at: context.now))
            }
            let replacing = state.replacing(context.token, by: token, at: context.now)
            let answer = RenewalsAnswer(items: answers, usage: settled.response(of: state.licenses))
            return .init(
                reply: ContentReply { RenewalsAnswer.document.write(answer, into: &$0) }, isKept: state.knowsAny,
                extra: !replacing.isEmpty, saves: settled.saves + replacing, newPlays: settled.newPlays, needs: needs)
        }
    }

    /// Counts the use in a usage report.
    ///
    /// - Parameters:
    ///   - usage: The report.
    ///   - request: The request's id.
    ///   - token: A replacement for the device's token, if one is due. The outcome says whether it was used.
    func recordUse(
        _ usage: ReportedUsage, by holder: PresentHolder, _ request: NamedRequest, token: HolderCredential?
    ) async throws(ServerError) -> DeviceRequest.Outcome<Bool> {
        let ids = Set(usage.plays.map(\.license)).sorted()
        return try await performOnce(
            request, of: holder, naming: .init(licenses: ids, plays: usage.plays)
        ) { [catalog] state, context in
            let settled = state.recordUse(usage, context, hasLostRecords: catalog.hasLostRecords)
            if settled.isAllMissing { throw ServerError.recordMissing }
            let replacing = state.replacing(context.token, by: token, at: context.now)
            let response = settled.response(of: state.licenses)
            return .init(
                reply: ContentReply { UsageAnswer.document.write(response, into: &$0) }, isKept: state.knowsAny,
                extra: !replacing.isEmpty, saves: settled.saves + replacing, newPlays: settled.newPlays)
        }
    }
}

/// The result of counting the use in a usage report.
struct SettledUsage: Sendable {
    /// The licenses in the report, with the highest sequence number received for each.
    var settled: [(license: ContentLicenseID, sequence: Int64)] = []
    /// The rejected entries by index, with the reasons.
    var refused: [(index: Int, code: Reason.Kind)] = []
    /// All reported plays as they are after this report.
    var plays: [SessionReport] = []
    /// The row writes that save the plays.
    var saves: [RowWrite] = []
    /// How many plays are new, by license; licenses without new plays are left out.
    var newPlays: [ContentLicenseID: Int] = [:]

    /// How many reports are about licenses that the store may have lost.
    ///
    /// They are neither settled nor refused, so that the device reports them again.
    var missing = 0

    /// Whether all reports are about licenses that the store may have lost.
    var isAllMissing: Bool { missing > 0 && settled.isEmpty && refused.isEmpty }

    /// Returns the response, with the use that the server has counted once the whole request has been decided.
    func response(of licenses: [ContentLicenseID: ContentLicense]) -> UsageAnswer {
        let settled = settled.compactMap { license, sequence in
            licenses[license].map {
                UsageAnswer.Settled(license: license, sequence: sequence, version: $0.version, used: $0.used)
            }
        }
        return UsageAnswer(settled: settled, refused: refused.map { .init(index: $0.index, code: $0.code) })
    }
}

extension HolderState {
    /// Counts the use in reports, license by license.
    ///
    /// Rejected entries are listed and don't block others.
    mutating func recordUse(
        _ usage: ReportedUsage, _ context: DeviceRequest.LoadedRecords, hasLostRecords: Bool
    ) -> SettledUsage {
        var outcome = SettledUsage()
        var ofLicenses: [ContentLicenseID: [SessionReport]] = [:]
        for (index, report) in usage.reports.enumerated() {
            guard let report else {
                outcome.refused.append((index, .fieldInvalid))
                continue
            }
            guard licenses[report.license] != nil else {
                if hasLostRecords {
                    outcome.missing += 1
                } else {
                    outcome.refused.append((index, .contentLicenseUnknown))
                }
                continue
            }
            ofLicenses[report.license, default: []].append(report)
        }
        let plays = Dictionary(grouping: context.plays, by: \.license)
        for (id, reports) in ofLicenses.sorted(by: { $0.key < $1.key }) {
            guard let license = licenses[id] else { continue }
            let before = plays[id] ?? []
            let (after, sessions, events) = license.settling(reports, existing: before, at: context.now)
            put(after.seen(at: context.now, besides: license))
            record(events)
            outcome.settled.append((id, after.settled))
            outcome.plays += sessions
            let existing = Set(before.map(\.session))
            let new = sessions.count { !existing.contains($0.session) }
            if new > 0 { outcome.newPlays[id] = new }
            outcome.saves += sessions.map { session in
                .put(
                    ReportedPlay(session),
                    over: before.first { $0.session == session.session }.map { ReportedPlay($0) })
            }
        }
        return outcome
    }

    /// Whether the request named a license that the device has.
    ///
    /// Otherwise its response isn't stored, to save space.
    var knowsAny: Bool { !licenses.isEmpty }

    /// Returns the writes that replace a token.
    ///
    /// The result is empty if no replacement is due, or if the device isn't active in an open enrolment.
    func replacing(_ token: HolderCredential, by successor: HolderCredential?, at now: Timestamp) -> [RowWrite] {
        guard let successor, let device = token.device, token.needsSuccessor(at: now),
            hasActivation(of: device, at: now)
        else { return [] }
        var succeeded = token
        succeeded.succeededAt = now
        return [.insert(successor), .replace(token, by: succeeded)]
    }

    private func hasActivation(of device: Digest, at now: Timestamp) -> Bool {
        enrolments.values.contains { enrolment in
            enrolment.obstacle(at: now) == nil && self.device(device, in: enrolment.id)?.state == .active
        }
    }
}

extension [SessionReport] {
    /// Returns the plays, with those in `later` in place of earlier reports of the same plays.
    fileprivate func updated(by later: [SessionReport]) -> [SessionReport] {
        let names = Set(later.map(\.session))
        return filter { !names.contains($0.session) } + later
    }
}
