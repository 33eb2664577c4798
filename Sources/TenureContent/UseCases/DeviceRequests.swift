import TenureCore
import TenureServerKit
import TenureStore

/// Carries out what a holder's device asks, each request once.
struct DeviceRequests: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// What a request comes to.
    enum Outcome<Extra: Sendable>: Sendable {
        /// The answer; what goes with it is nil where it was given before.
        case answered(ContentReply, Extra?, CatalogSnapshot)
        /// The device named another request so.
        case reused
        /// The tenant offers no contents.
        case nothingOffered
        /// The holder's token was ended meanwhile.
        case ended
    }

    /// What a decision comes to.
    struct Decided<Extra: Sendable>: Sendable {
        /// The answer.
        var reply: ContentReply
        /// Whether it is the law's, so that it is given again.
        var isKept = true
        /// What goes with it the first time.
        var extra: Extra
        /// What is saved beside what the state has.
        var saves: [Save] = []
        /// The enrolments of which the device's licenses have to be looked for before this can be decided.
        var needs: Set<EnrolmentID> = []
    }

    /// What a request names, to be looked for.
    struct Named: Sendable {
        var licenses: [ContentLicenseID] = []
        var contents: [ContentID] = []
        var plays: [(license: ContentLicenseID, session: PlaySessionID)] = []
        /// Licenses of which all plays are looked for: a device has a version of them that the server lost.
        var ahead: [ContentLicenseID] = []
    }

    /// What a decision sees beside the state.
    struct Scene: Sendable {
        let now: Timestamp
        /// What the holder is shown by, as it stands in this transaction.
        let token: HolderCredential
        let plays: [SessionReport]
        let ahead: [SessionReport]
    }

    /// Decides in one transaction, durable before this returns; the same request is answered as before. Throws
    /// ``ServerError``.
    func callAsFunction<Extra: Sendable>(
        _ request: NamedRequest, of holder: PresentHolder, naming named: Named,
        decide: @escaping @Sendable (inout HolderState, Scene) -> Decided<Extra>
    ) async throws(ServerError) -> Outcome<Extra> {
        let now = clock.now()
        var looked: Set<EnrolmentID> = []
        for _ in 0..<Self.attempts {
            let wanted = looked
            let attempt = try await catalog.perform(DeviceLooks.asked(request, holder, named, wanted)) {
                seen, looks, snapshot -> Saving<Attempt<Extra>> in
                guard let token = seen[looks.token], token.endedAt == nil else { return Saving(.ended(.ended)) }
                let kept = seen[looks.kept]
                if let kept, kept.at.seconds(until: now) < KeptReply.lifetime {
                    guard kept.fingerprint == request.fingerprint else { return Saving(.ended(.reused)) }
                    return Saving(.ended(.answered(ContentReply(kept: kept.reply), nil, snapshot)))
                }
                guard let contents = snapshot.catalog.tenants[holder.tenant]?.contents else {
                    return Saving(.ended(.nothingOffered))
                }
                var state = HolderState(
                    seen, looks.holder, tenant: holder.tenant, holder: holder.holder, contents: contents,
                    looked: wanted)
                for license in seen[looks.licenses] + seen[looks.known] where license.isOf(holder) {
                    state.take(license)
                }
                let scene = Scene(
                    now: now, token: token, plays: seen[looks.plays].map(\.report),
                    ahead: seen[looks.ahead].map(\.report))
                let decided = decide(&state, scene)
                guard decided.needs.isSubset(of: wanted) else { return Saving(.needs(decided.needs)) }
                let keeping: [Save] =
                    decided.isKept ? [.put(request.keeping(decided.reply, at: now), over: kept)] : []
                return Saving(
                    .ended(.answered(decided.reply, decided.extra, snapshot)), state.saves + decided.saves + keeping)
            }
            switch attempt {
            case .ended(let outcome): return outcome
            case .needs(let more): looked.formUnion(more)
            }
        }
        throw ServerError(
            .init("decision_busy"), "Others kept changing what this request is about. Try again.", isTransient: true)
    }

    private enum Attempt<Extra: Sendable>: Sendable {
        case ended(Outcome<Extra>)
        case needs(Set<EnrolmentID>)
    }

    private static let attempts = 8
}

extension ContentLicense {
    /// Whether it is of this holder and device: another's is as unknown as none.
    func isOf(_ present: PresentHolder) -> Bool {
        holder == present.holder && self.present.tenant == present.tenant && self.present.device == present.device
    }

    /// The license after its device asked; that is written down once an hour at most, or with another change.
    func seen(at now: Timestamp, besides before: ContentLicense?) -> ContentLicense {
        guard self != before || lastSeenAt.seconds(until: now) >= Self.seenEvery else { return self }
        var license = self
        license.lastSeenAt = max(lastSeenAt, now)
        return license
    }

    private static let seenEvery: Int64 = 3_600
}

/// What a device's request looks at.
private struct DeviceLooks: Sendable {
    let kept: RowLook<KeptReply>
    let holder: HolderLooks
    let licenses: RowsLook<ContentLicense>
    let known: RowsLook<ContentLicense>
    let plays: RowsLook<ReportedPlay>
    let ahead: RowsLook<ReportedPlay>
    let token: RowLook<HolderCredential>

    init(_ ask: inout Asking) {
        ask.hold(RememberedAnswer.turn)
        kept = ask.row(KeptReply.table.key)
        holder = HolderLooks(&ask)
        licenses = ask.each(ContentLicense.table.key)
        known = ask.each(ContentLicense.ofContent, upTo: Asking.everything)
        plays = ask.each(ReportedPlay.table.key)
        ahead = ask.each(ReportedPlay.ofLicense, upTo: Asking.everything)
        token = ask.row(HolderCredential.table.key)
    }

    static let form = CatalogForm(DeviceLooks.init)

    static func asked(
        _ request: NamedRequest, _ present: PresentHolder, _ named: DeviceRequests.Named, _ looked: Set<EnrolmentID>
    ) -> CatalogAsked<DeviceLooks> {
        let (tenant, holder) = (StoredValue.of(present.tenant), StoredValue.of(present.holder))
        let device = StoredValue.of(present.device)
        return form.asked(
            .of(request.key), tenant, holder, .of(present.token.hash),
            lists: [
                [.of(request.key)], [tenant, holder], looked.sorted().flatMap { [.of($0), device] },
                named.licenses.map(StoredValue.of), named.contents.flatMap { [tenant, holder, device, .of($0)] },
                named.plays.flatMap { [.of($0.license), .of($0.session)] }, named.ahead.map(StoredValue.of),
            ])
    }
}
