import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit
import TenureStore

/// The reply to an item of a Kollus callback.
enum KollusReply: Sendable {
    /// The decision about the item, with its message in the caller's language.
    case answer(KollusItem.Answer)
    /// An earlier reply to the same item, as it was stored.
    case repeated(IdempotentReply)
}

extension ContentContext {
    /// Decides on the items of a callback of Kollus's players.
    ///
    /// Returns the reply to each item, in order; `nil` in place of each reply if the tenant no longer offers content.
    /// All changes are durable before this returns.
    ///
    /// A reply that grants something is repeated if the same item is sent again within seven days.
    ///
    /// - Parameters:
    ///   - items: The items of the callback.
    ///   - unknown: How to treat downloads that Tenure doesn't know and can't adopt.
    ///   - language: The language of messages.
    ///   - time: When the request was made; `nil` for now.
    func answerKollus(
        _ items: [KollusItem], of tenant: TenantID, unknown: KollusCase.UnknownDownloads,
        in language: Language = .english,
        at time: Timestamp? = nil
    ) async throws(ServerError) -> [KollusReply?] {
        let now = time ?? clock.now()
        var replies = [KollusReply?](repeating: nil, count: items.count)
        let groups = Dictionary(grouping: items.indices) { KollusPlayer(items[$0]) }
        for (player, indices) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
            let answered = try await answer(indices.map { items[$0] }, of: player, at: tenant, unknown, language, now)
            for (index, reply) in zip(indices, answered) { replies[index] = reply }
        }
        return replies
    }

    private func bind(
        _ items: [KollusItem], of player: KollusPlayer, at tenant: TenantID, _ unknown: KollusCase.UnknownDownloads,
        _ language: Language, _ now: Timestamp, under snapshot: CatalogSnapshot
    ) -> PlayerRequest {
        var random = randomness.generator()
        let device = Digest.sha256(of: "tenure-content-kollus-v1|\(tenant)|\(player.player)")
        let keys = snapshot.catalog.tenants[tenant]?.contents?.kollusKeys(among: items.map(\.key)) ?? [:]
        let requests = items.map { item in
            let name = item.name(at: tenant)
            let contentRequest = ContentRequest(
                tenant: tenant, holder: player.user, device: device, content: keys[item.key] ?? .unlisted(item.key),
                request: ContentRequest.kollusPrefix + Hex.encode(Array(name.bytes.prefix(16))),
                newID: .random(using: &random))
            return ItemRequest(
                item: item, contentRequest: contentRequest, name: name, newEnrolment: .random(using: &random))
        }
        return PlayerRequest(
            tenant: tenant, user: player.user, device: device, requests: requests, unknown: unknown,
            hasLostRecords: { [catalog] in catalog.hasLostRecords }, language: language, now: now)
    }

    /// Decides on the items without a write transaction, which suffices for most checks before a play.
    ///
    /// Returns `nil` if something must be saved, or if the catalog has changed.
    private func read(_ bound: PlayerRequest, under snapshot: CatalogSnapshot) async throws(ServerError)
        -> [KollusReply]?
    {
        let (results, queries, latest) = try await catalog.fetch(bound.queries())
        guard latest.version == snapshot.version else { return nil }
        let saving = bound.attempt(results, queries, latest)
        guard saving.saves.isEmpty, case .answered(let answers) = saving.answer else { return nil }
        return answers
    }

    private func answer(
        _ items: [KollusItem], of player: KollusPlayer, at tenant: TenantID, _ unknown: KollusCase.UnknownDownloads,
        _ language: Language, _ now: Timestamp
    ) async throws(ServerError) -> [KollusReply] {
        if items.allSatisfy({ $0.kind == .check }) {
            let snapshot = catalog.current
            let bound = bind(items, of: player, at: tenant, unknown, language, now, under: snapshot)
            if let answers = try await read(bound, under: snapshot) { return answers }
        }
        let bound = bind(
            items, of: player, at: tenant, unknown, language, now, under: try await catalog.refreshIfChanged())
        var (loadedEnrolments, attempts) = (Set<EnrolmentID>(), RetryPolicy())
        while attempts.isLeft {
            let enrolmentIDs = loadedEnrolments
            let attempt = try await catalog.perform(bound.queries(enrolmentIDs), within: &attempts) {
                results, queries, snapshot -> TransactionResult<KollusAttempt> in
                bound.attempt(results, queries, snapshot, enrolmentIDs)
            }
            switch attempt {
            case .answered(let answers): return answers
            case .needs(let more): loadedEnrolments.formUnion(more)
            }
        }
        throw .decisionBusy
    }
}

private struct KollusPlayer: Hashable {
    let user: String
    let player: String

    init(_ item: KollusItem) { (user, player) = (item.user, item.player) }
}

/// An item of a callback, with the random ids that its decision may need.
private struct ItemRequest: Sendable {
    let item: KollusItem
    let contentRequest: ContentRequest
    let name: Digest
    let newEnrolment: EnrolmentID
}

/// All items about one player in one callback.
private struct PlayerRequest: Sendable {
    let tenant: TenantID
    let user: String
    let device: Digest
    let requests: [ItemRequest]
    let unknown: KollusCase.UnknownDownloads
    let hasLostRecords: @Sendable () -> Bool
    let language: Language
    let now: Timestamp

    var isClockWrong: Bool { requests.contains { $0.item.clockError(at: now) != nil } }

    /// The key of the row that says when the player's wrong clock was last recorded as an event.
    var clockNote: Digest { .sha256(of: "kollus clock|\(tenant)|\(Hex.encode(device.bytes))") }

    /// Records a wrong clock, at most once a day for each player. Returns the row that limits this, or nothing.
    ///
    /// A player without a license isn't recorded, because a callback can contain an invented player id.
    func recordClock(in state: inout HolderState, _ replies: [IdempotentReply]) -> [RowWrite] {
        let note = replies.first { $0.key == clockNote }
        if let note, note.at.seconds(until: now) < KollusItem.clockErrorInterval { return [] }
        for request in requests {
            let license = state.licenses.values.filter { $0.present.content == request.contentRequest.content }
                .min { $0.id < $1.id }
            guard let event = license?.wrongClock(request.item, at: now) else { continue }
            state.record([event])
            return [.put(IdempotentReply(key: clockNote, fingerprint: clockNote, reply: [], at: now), over: note)]
        }
        return []
    }

    func queries(_ enrolmentIDs: Set<EnrolmentID> = []) -> BoundCatalogQuery<KollusQueries> {
        KollusQueries.bind(
            tenant, user, device, requests.map { ($0.name, $0.contentRequest.content) }, enrolmentIDs,
            besides: isClockWrong ? [clockNote] : [])
    }

    /// Decides on the items based on the rows that were read; returns the responses and writes.
    func attempt(
        _ results: QueryResult, _ queries: KollusQueries, _ snapshot: CatalogSnapshot,
        _ enrolmentIDs: Set<EnrolmentID> = []
    ) -> TransactionResult<KollusAttempt> {
        guard let contents = snapshot.catalog.tenants[tenant]?.contents else {
            return TransactionResult(.answered([]))
        }
        var state = HolderState(
            results, queries.holder, tenant: tenant, holder: user, contents: contents, loadedEnrolments: enrolmentIDs)
        for license in results[queries.licenses] { state.take(license) }
        let (answers, saves, needs) = decide(&state, replies: results[queries.replies])
        guard needs.isSubset(of: enrolmentIDs) else { return TransactionResult(.needs(needs)) }
        let clock = isClockWrong ? recordClock(in: &state, results[queries.replies]) : []
        let before = results[queries.device]
        let named = ContentDevice(
            tenant: tenant, holder: user, device: device,
            name: requests.compactMap(\.item.deviceName).last ?? before?.name)
        let naming: [RowWrite] = before == named || named.name == nil ? [] : [.put(named, over: before)]
        return TransactionResult(.answered(answers), state.saves + saves + naming + clock)
    }
}

private enum KollusAttempt: Sendable {
    case answered([KollusReply])
    case needs(Set<EnrolmentID>)
}

extension PlayerRequest {
    /// Decides on the items one after the other.
    ///
    /// Returns the replies, what must be saved besides the state, and the enrolments that must be read first.
    private func decide(
        _ state: inout HolderState, replies: [IdempotentReply]
    ) -> ([KollusReply], [RowWrite], Set<EnrolmentID>) {
        let hasLostRecords = self.hasLostRecords()
        var given = Dictionary(replies.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        var answers: [KollusReply] = []
        var saves: [RowWrite] = []
        var needs: Set<EnrolmentID> = []
        for request in requests {
            let content = request.contentRequest.content
            let licenses = state.licenses.values.filter {
                $0.present.content == content && $0.isOf(request.contentRequest)
            }
            .sorted { $0.id < $1.id }
            let active = licenses.first { $0.state == .active }
            let former = given[request.name]
            let offers = state.offers(of: content, besides: active?.id, orNew: request.newEnrolment, at: now)
            var (answer, consequences) = KollusCase(
                request.item, request.contentRequest, existing: licenses, offers: offers,
                unknown: hasLostRecords ? .leave : unknown
            ).decide(at: now)
            if hasLostRecords, answer.reason?.code == .enrolmentUnknown {
                // The enrolment may be lost, so the player is asked to try again.
                answer = KollusItem.Answer(request.item, result: false)
                answer.message = KollusItem.Answer.busy(in: language)
            }
            // The stored response isn't repeated if the license has been stopped, has ended or has been reset since
            // then.
            if let former, let active, active.playerExpiredAt == nil, !active.isReset, !active.isOver(at: now),
                former.isCurrent(at: now),
                answer.isAnswered(byKept: former.kollusExpirationDate, at: now)
            {
                answers.append(.repeated(former))
                continue
            }
            if let active, let after = consequences.licenses.first(where: { $0.id == active.id }),
                after.enrolment != active.enrolment, !state.hasReadLicenses(of: active.enrolment)
            {
                needs.insert(active.enrolment)
            }
            state.apply(consequences)
            if let active, let after = state.licenses[active.id] { state.put(after.seen(at: now, besides: active)) }
            let localized = answer.localized(in: language)
            answers.append(.answer(localized))
            guard answer.isGift else { continue }
            let gift = IdempotentReply(localized, to: request.name, at: now)
            saves.append(.put(gift, over: former))
            given[request.name] = gift
        }
        return (answers, saves, needs)
    }
}

extension ContentLicense {
    /// Whether the license belongs to the holder, device and tenant that the request names.
    fileprivate func isOf(_ request: ContentRequest) -> Bool {
        holder == request.holder && present.device == request.device && present.tenant == request.tenant
    }
}

extension KollusItem {
    /// The digest that identifies an item, so that repetitions are recognized.
    fileprivate func name(at tenant: TenantID) -> Digest {
        let parts = [
            tenant.text, String(kind.rawValue), user, player, key, sessionKey ?? "", startAt.map(String.init) ?? "",
        ]
        return .sha256(of: "kollus question|" + parts.map { "\($0.utf8.count):\($0)" }.joined())
    }
}

extension ContentCatalog {
    /// Returns the content ids for Kollus keys; if several items have the same key, the lowest id.
    fileprivate func kollusKeys(among keys: [String]) -> [String: ContentID] {
        let keys = Set(keys)
        return Dictionary(
            items.values.filter { keys.contains($0.kollusKey) }.map { ($0.kollusKey, $0.id) },
            uniquingKeysWith: { min($0, $1) })
    }
}

extension ContentID {
    /// A placeholder for a Kollus key that isn't in the catalog; no content item has this id.
    fileprivate static func unlisted(_ key: String) -> ContentID {
        guard let name = ContentID("kollus:unlisted:" + Hex.encode(Digest.sha256(of: key).bytes)) else {
            preconditionFailure("hexadecimal digits are not a content id")
        }
        return name
    }
}

/// The rows that a decision for a player reads.
private struct KollusQueries: Sendable {
    let replies: RowsQuery<IdempotentReply>
    let holder: HolderQueries
    let licenses: RowsQuery<ContentLicense>
    let device: RowQuery<ContentDevice>

    struct Parameters: Sendable {
        let names: [Digest]
        let holder: HolderQueries.Parameters
        let contents: [ContentID]
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        query.hold(IdempotentResponse.turn) { $0.names.map(StoredValue.of) }
        replies = query.each(IdempotentReply.table.key) { $0.names.map(StoredValue.of) }
        holder = query.part(HolderQueries.init) { $0.holder }
        licenses = query.each(ContentLicense.ofContent, upTo: .everything) { bound in
            let holder = bound.holder
            return bound.contents.flatMap {
                [.of(holder.tenant), .of(holder.holder), .of(holder.device), .of($0)]
            }
        }
        device = query.row(ContentDevice.table.key) {
            [.of($0.holder.tenant), .of($0.holder.holder), .of($0.holder.device)]
        }
    }

    static let plan = CatalogQueryPlan(KollusQueries.init)

    static func bind(
        _ tenant: TenantID, _ user: String, _ device: Digest, _ requestedItems: [(name: Digest, content: ContentID)],
        _ loadedEnrolments: Set<EnrolmentID>, besides notes: [Digest]
    ) -> BoundCatalogQuery<KollusQueries> {
        plan.bind(
            .init(
                names: Array(Set(requestedItems.map(\.name) + notes)),
                holder: .init(tenant: tenant, holder: user, device: device, loadedEnrolments: loadedEnrolments),
                contents: Set(requestedItems.map(\.content)).sorted()))
    }
}
