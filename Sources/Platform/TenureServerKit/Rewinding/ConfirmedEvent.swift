import TenureCore
import TenureFormats
import TenureStore

/// An event whose commit the database has confirmed to this server.
struct ConfirmedEvent: Sendable, Hashable {
    let tenant: TenantID
    let number: Int64
    /// A digest of the event's row, which shows whether the store still has the same event under its number.
    let digest: Digest

    init(tenant: TenantID, number: Int64, digest: Digest) {
        self.tenant = tenant
        self.number = number
        self.digest = digest
    }

    init(_ record: EventRecord) {
        self.init(
            tenant: record.event.subject.tenant, number: record.sequence, digest: Self.digest(of: record.stored))
    }

    private static func digest(of row: StoredRow) -> Digest {
        var canonical = CanonicalBytes()
        canonical.appendSetColumns(row, of: EventRecord.table.shape)
        return .sha256(of: canonical.bytes)
    }
}

/// What a server remembers of its store's history: the store's id, and the last events that it confirmed.
struct RememberedHistory: Sendable, Hashable {
    /// The history's id (``HistoryID``); `nil` for a store without one.
    private(set) var id: String?
    /// The last confirmed events, oldest first, at most ``most``.
    private(set) var events: [ConfirmedEvent] = []
    /// The highest timeline of each database cluster that the server used.
    private(set) var timelines: [String: String] = [:]

    init(of id: String? = nil, _ events: [ConfirmedEvent] = [], timelines: [String: String] = [:]) {
        self.id = id
        self.timelines = timelines
        self.events = Array(events.suffix(Self.most))
    }

    /// Adds events that were confirmed after those that are remembered.
    mutating func add(_ confirmed: some Sequence<ConfirmedEvent>) {
        events = Array((events + confirmed).suffix(Self.most))
    }

    /// Remembers the timeline of a cluster that is used; returns whether that's new.
    mutating func use(_ timeline: NewConnection.Timeline) -> Bool {
        if timelines[timeline.system].map({ $0 >= timeline.number }) ?? false { return false }
        timelines[timeline.system] = timeline.number
        return true
    }

    /// Whether a cluster is on a lower timeline than before, as a former primary that came back.
    func isBehind(_ timeline: NewConnection.Timeline) -> Bool {
        timelines[timeline.system].map { timeline.number < $0 } ?? false
    }

    /// Forgets events that the store has lost, after this has been recorded in the store.
    mutating func forget(_ lost: Set<ConfirmedEvent>) { events.removeAll(where: lost.contains) }

    static let most = 100
}

extension RememberedHistory {
    /// The JSON of the local file.
    var bytes: [UInt8] {
        JSONWriter.object { body in
            body.member("version", 1)
            body.member("history", id)
            body.array("events") { list in
                for event in events {
                    list.object { member in
                        member.member("tenant", event.tenant.text)
                        member.member("number", event.number)
                        member.member("digest", hex: event.digest.bytes)
                    }
                }
            }
            body.array("timelines") { list in
                for (system, timeline) in timelines.sorted(by: { $0.key < $1.key }) {
                    list.object { member in
                        member.member("system", system)
                        member.member("timeline", timeline)
                    }
                }
            }
        }
    }

    /// Reads the JSON of the local file; `nil` if it's damaged or of a later version.
    init?(_ bytes: [UInt8]) {
        guard let body = try? FlatObject(scanning: bytes), body.integer("version").value == 1,
            let members = body.objects("events").value
        else { return nil }
        var events: [ConfirmedEvent] = []
        for member in members {
            guard let tenant = member.string("tenant").value.flatMap({ TenantID($0) }),
                let number = member.integer("number").value,
                let digest = member.string("digest").value.flatMap({ Hex.decode($0) }).flatMap({ Digest($0) })
            else { return nil }
            events.append(ConfirmedEvent(tenant: tenant, number: number, digest: digest))
        }
        var timelines: [String: String] = [:]
        for member in body.objects("timelines").value ?? [] {
            guard let system = member.string("system").value, let timeline = member.string("timeline").value else {
                return nil
            }
            timelines[system] = timeline
        }
        self.init(of: body.string("history").value, events, timelines: timelines)
    }
}
