import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit
import TenureStore

/// Decides on the requests of Kollus's players.
struct AnswerKollus: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let randomness: Randomness

    /// Returns the response to each item as a JSON object, in order; all changes are durable before this returns.
    ///
    /// A response that grants something is repeated if the same item is sent again within seven days. Throws
    /// ``ServerError``.
    ///
    /// - Parameters:
    ///   - items: The items of the callback.
    ///   - unknown: How to treat downloads that Tenure doesn't know and can't adopt.
    ///   - language: The language of messages.
    ///   - moment: When the request was made; `nil` for now.
    func callAsFunction(
        _ items: [KollusItem], of tenant: TenantID, unknown: KollusCase.UnknownDownloads,
        in language: Language = .english,
        at moment: Timestamp? = nil
    ) async throws(ServerError) -> [[UInt8]] {
        let now = moment ?? clock.now()
        var answers = [[UInt8]](repeating: [], count: items.count)
        let groups = Dictionary(grouping: items.indices) { Player(items[$0]) }
        for (player, places) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
            let told = try await answer(places.map { items[$0] }, of: player, at: tenant, unknown, language, now)
            for (place, answer) in zip(places, told) { answers[place] = answer }
        }
        return answers
    }

    private struct Player: Hashable {
        let user: String
        let player: String

        init(_ item: KollusItem) { (user, player) = (item.user, item.player) }
    }

    /// An item of a callback, with the random ids that its decision may need.
    private struct Question: Sendable {
        let item: KollusItem
        let query: ContentRequest
        let name: Digest
        let newEnrolment: EnrolmentID
    }

    /// All items about one player in one callback.
    private struct PlayerQuestions: Sendable {
        let tenant: TenantID
        let user: String
        let device: Digest
        let questions: [Question]
        let unknown: KollusCase.UnknownDownloads
        let language: Language
        let now: Timestamp

        /// Whether the player reported a wrong clock.
        var isClockWrong: Bool { questions.contains { $0.item.clockError(at: now) != nil } }

        /// The key of the row that says when the player's wrong clock was last recorded as an event.
        var clockNote: Digest { .sha256(of: "kollus clock|\(tenant)|\(Hex.encode(device.bytes))") }

        /// Records a wrong clock, at most once a day for each player.
        ///
        /// A player without a license isn't recorded, because a callback can contain an invented player id.
        func recordClock(in state: inout HolderState, _ kept: [IdempotentReply]) -> [RowWrite] {
            let note = kept.first { $0.key == clockNote }
            if let note, note.at.seconds(until: now) < KollusItem.clockErrorInterval { return [] }
            for question in questions {
                let license = state.licenses.values.filter { $0.present.content == question.query.content }
                    .min { $0.id < $1.id }
                guard let event = license?.wrongClock(question.item, at: now) else { continue }
                state.record([event])
                return [.put(IdempotentReply(key: clockNote, fingerprint: clockNote, reply: [], at: now), over: note)]
            }
            return []
        }

        func queries(_ wanted: Set<EnrolmentID> = []) -> BoundCatalogQuery<KollusQueries> {
            KollusQueries.bind(
                tenant, user, device, questions.map { ($0.name, $0.query.content) }, wanted,
                besides: isClockWrong ? [clockNote] : [])
        }

        /// Decides on the items based on the rows that were read; returns the responses and writes.
        func attempt(
            _ results: QueryResult, _ queries: KollusQueries, _ snapshot: CatalogSnapshot,
            _ wanted: Set<EnrolmentID> = []
        ) -> TransactionResult<Attempt> {
            guard let contents = snapshot.catalog.tenants[tenant]?.contents else {
                return TransactionResult(.answered([]))
            }
            var state = HolderState(
                results, queries.holder, tenant: tenant, holder: user, contents: contents, looked: wanted)
            for license in results[queries.known] { state.take(license) }
            let (answers, saves, needs) = AnswerKollus.decide(
                questions, &state, kept: results[queries.kept], unknown, in: language, at: now)
            guard needs.isSubset(of: wanted) else { return TransactionResult(.needs(needs)) }
            let clock = isClockWrong ? recordClock(in: &state, results[queries.kept]) : []
            let before = results[queries.device]
            let named = ContentDevice(
                tenant: tenant, holder: user, device: device,
                name: questions.compactMap(\.item.deviceName).last ?? before?.name)
            let naming: [RowWrite] = before == named || named.name == nil ? [] : [.put(named, over: before)]
            return TransactionResult(.answered(answers), state.saves + saves + naming + clock)
        }
    }

    private func bind(
        _ items: [KollusItem], of player: Player, at tenant: TenantID, _ unknown: KollusCase.UnknownDownloads,
        _ language: Language, _ now: Timestamp, under snapshot: CatalogSnapshot
    ) -> PlayerQuestions {
        var random = randomness.generator()
        let device = Digest.sha256(of: "tenure-content-kollus-v1|\(tenant)|\(player.player)")
        let keys = snapshot.catalog.tenants[tenant]?.contents?.kollusKeys(among: items.map(\.key)) ?? [:]
        let questions = items.map { item in
            let name = item.name(at: tenant)
            let query = ContentRequest(
                tenant: tenant, holder: player.user, device: device, content: keys[item.key] ?? .unlisted(item.key),
                request: ContentRequest.kollusPrefix + Hex.encode(Array(name.bytes.prefix(16))),
                newID: .random(using: &random))
            return Question(item: item, query: query, name: name, newEnrolment: .random(using: &random))
        }
        return PlayerQuestions(
            tenant: tenant, user: player.user, device: device, questions: questions, unknown: unknown,
            language: language, now: now)
    }

    /// Decides on the items without a write transaction, which suffices for most checks before a play.
    ///
    /// Returns `nil` if something must be saved, or if the catalog has changed.
    private func read(_ bound: PlayerQuestions, under snapshot: CatalogSnapshot) async throws(ServerError) -> [[UInt8]]?
    {
        let (results, queries, latest) = try await catalog.fetch(bound.queries())
        guard latest.version == snapshot.version else { return nil }
        let saving = bound.attempt(results, queries, latest)
        guard saving.saves.isEmpty, case .answered(let answers) = saving.answer else { return nil }
        return answers
    }

    private func answer(
        _ items: [KollusItem], of player: Player, at tenant: TenantID, _ unknown: KollusCase.UnknownDownloads,
        _ language: Language, _ now: Timestamp
    ) async throws(ServerError) -> [[UInt8]] {
        if items.allSatisfy({ $0.kind == .check }) {
            let snapshot = catalog.current
            let bound = bind(items, of: player, at: tenant, unknown, language, now, under: snapshot)
            if let answers = try await read(bound, under: snapshot) { return answers }
        }
        let bound = bind(
            items, of: player, at: tenant, unknown, language, now, under: try await catalog.refreshIfChanged())
        var (looked, attempts) = (Set<EnrolmentID>(), RetryPolicy())
        while attempts.isLeft {
            let wanted = looked
            let attempt = try await catalog.perform(bound.queries(wanted), within: &attempts) {
                results, queries, snapshot -> TransactionResult<Attempt> in
                bound.attempt(results, queries, snapshot, wanted)
            }
            switch attempt {
            case .answered(let answers): return answers
            case .needs(let more): looked.formUnion(more)
            }
        }
        throw .decisionBusy
    }

    private enum Attempt: Sendable {
        case answered([[UInt8]])
        case needs(Set<EnrolmentID>)
    }

    private static func decide(
        _ questions: [Question], _ state: inout HolderState, kept: [IdempotentReply],
        _ unknown: KollusCase.UnknownDownloads,
        in language: Language, at now: Timestamp
    ) -> ([[UInt8]], [RowWrite], Set<EnrolmentID>) {
        var given = Dictionary(kept.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        var answers: [[UInt8]] = []
        var saves: [RowWrite] = []
        var needs: Set<EnrolmentID> = []
        for question in questions {
            let content = question.query.content
            let known = state.licenses.values.filter { $0.present.content == content && $0.isOf(question.query) }
                .sorted { $0.id < $1.id }
            let held = known.first { $0.state == .active }
            let former = given[question.name]
            let offers = state.offers(of: content, besides: held?.id, orNew: question.newEnrolment, at: now)
            let (answer, consequences) = KollusCase(
                question.item, question.query, known: known, offers: offers, unknown: unknown
            ).decide(at: now)
            // The stored response isn't repeated if the license has been stopped, has ended or has been reset since
            // then.
            if let former, let held, held.playerExpiredAt == nil, !held.isReset, !held.isOver(at: now),
                former.isCurrent(at: now),
                answer.isAnswered(byKept: KollusToken.expirationDate(of: former.reply), at: now)
            {
                answers.append(former.reply)
                continue
            }
            if let held, let after = consequences.licenses.first(where: { $0.id == held.id }),
                after.enrolment != held.enrolment, !state.knowsPlace(held.enrolment)
            {
                needs.insert(held.enrolment)
            }
            state.apply(consequences)
            if let held, let after = state.licenses[held.id] { state.put(after.seen(at: now, besides: held)) }
            let told = KollusToken.object(answer.told(in: language))
            answers.append(told)
            guard answer.isGift else { continue }
            let gift = IdempotentReply(key: question.name, fingerprint: question.name, reply: told, at: now)
            saves.append(.put(gift, over: former))
            given[question.name] = gift
        }
        return (answers, saves, needs)
    }
}

extension ContentLicense {
    /// Whether the license belongs to the holder, device and tenant that the request names.
    fileprivate func isOf(_ query: ContentRequest) -> Bool {
        holder == query.holder && present.device == query.device && present.tenant == query.tenant
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
        let wanted = Set(keys)
        return Dictionary(
            items.values.filter { wanted.contains($0.kollusKey) }.map { ($0.kollusKey, $0.id) },
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
    let kept: RowsQuery<IdempotentReply>
    let holder: HolderQueries
    let known: RowsQuery<ContentLicense>
    let device: RowQuery<ContentDevice>

    struct Parameters: Sendable {
        let names: [Digest]
        let holder: HolderQueries.Parameters
        let contents: [ContentID]
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        query.hold(IdempotentResponse.turn) { $0.names.map(StoredValue.of) }
        kept = query.each(IdempotentReply.table.key) { $0.names.map(StoredValue.of) }
        holder = query.part(HolderQueries.init) { $0.holder }
        known = query.each(ContentLicense.ofContent, upTo: .everything) { bound in
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
        _ tenant: TenantID, _ user: String, _ device: Digest, _ questions: [(name: Digest, content: ContentID)],
        _ looked: Set<EnrolmentID>, besides notes: [Digest]
    ) -> BoundCatalogQuery<KollusQueries> {
        plan.bind(
            .init(
                names: Array(Set(questions.map(\.name) + notes)),
                holder: .init(tenant: tenant, holder: user, device: device, looked: looked),
                contents: Set(questions.map(\.content)).sorted()))
    }
}
