import TenureCore
import TenureFormats
import TenureStore

/// A server's memory of its store's history: the history's ids, the last confirmed events, and the timelines.
struct RememberedHistory: Sendable, Hashable {
    /// The history's id (``HistoryID``); `nil` for a store without one.
    private(set) var id: String?
    /// The former ids of the history, oldest first, at most ``mostFormer``.
    private(set) var former: [String] = []
    /// The last confirmed events, oldest first, at most ``most``.
    private(set) var events: [ConfirmedEvent] = []
    /// The highest timeline of each database cluster that the server used with the current id.
    private(set) var timelines: [String: String] = [:]
    /// The highest timeline of each database cluster that the server used with any id.
    private(set) var highest: [String: String] = [:]

    init(of id: String? = nil, _ events: [ConfirmedEvent] = []) {
        self.id = id
        self.events = Array(events.suffix(Self.most))
    }

    static let most = 100
    static let mostFormer = 20

    /// Adds events that were confirmed after the remembered ones.
    mutating func add(_ confirmed: some Sequence<ConfirmedEvent>) {
        events = Array((events + confirmed).suffix(Self.most))
    }

    /// Removes events that the store has lost, after the store has recorded the loss.
    mutating func forget(_ lost: Set<ConfirmedEvent>) { events.removeAll(where: lost.contains) }

    /// Remembers the timeline of a database cluster in use.
    mutating func use(_ timeline: NewConnection.Timeline) {
        func raise(_ timelines: inout [String: String]) {
            timelines[timeline.system] = max(timelines[timeline.system] ?? "", timeline.number)
        }
        raise(&timelines)
        raise(&highest)
    }

    /// Adopts a new id that an operator's command gave the store. The events of the former history are removed.
    ///
    /// - Parameter timelines: The timelines to keep; none if the new id was found on a new connection.
    mutating func begin(_ id: String?, keeping timelines: [String: String] = [:]) {
        change(to: id)
        events = []
        self.timelines = timelines
    }

    /// Returns to a former id, because the database has lost the id that followed it.
    ///
    /// The events stay, because their loss isn't recorded yet.
    mutating func `return`(to id: String?) {
        change(to: id)
        timelines = [:]
    }

    private mutating func change(to id: String?) {
        if let before = self.id { former = former.filter { $0 != before } + [before] }
        former = Array(former.filter { $0 != id }.suffix(Self.mostFormer))
        self.id = id
    }
}

extension RememberedHistory {
    /// The relation between a database and the remembered history.
    enum Relation: Sendable, Hashable {
        /// The database has the remembered id and no lower timeline. Comparing events shows whether it lost some.
        case same
        /// The database has an unknown id: it was restored, recovered or replaced on purpose.
        case replaced
        /// The database has a former id on a timeline that no server has used: a failover or a recovery lost the newer
        /// id.
        case returned
        /// The database has the remembered id on a lower timeline, like a former primary that came back.
        case behind
        /// The database has a former id, like a former primary that came back after `tenure store recovered`.
        case former
    }

    /// Compares a database's history id and timeline with the remembered ones.
    ///
    /// - Parameter timeline: The database's timeline; `nil` if the database doesn't report it.
    func relation(to id: String?, on timeline: NewConnection.Timeline?) -> Relation {
        if id == self.id {
            let isBehind = timeline.map { $0.number < timelines[$0.system] ?? "" } ?? false
            return isBehind ? .behind : .same
        }
        guard let id, former.contains(id) else { return .replaced }
        let isPromoted = timeline.map { timeline in highest[timeline.system].map { timeline.number > $0 } ?? false }
        return isPromoted == true ? .returned : .former
    }

    /// Combines the histories of several servers with the same data folder.
    ///
    /// - Parameter all: The histories, the most recently saved first.
    init(merging all: [RememberedHistory]) {
        let everyFormer = Set(all.flatMap(\.former))
        guard let newest = all.first(where: { $0.id.map { !everyFormer.contains($0) } ?? true }) ?? all.first else {
            self.init()
            return
        }
        let same = all.filter { $0.id == newest.id }
        // Takes the newest events of each history, because the number of remembered events is limited.
        var (events, seen): ([ConfirmedEvent], Set<ConfirmedEvent>) = ([], [])
        for offset in 0..<Self.most {
            for known in same where offset < known.events.count {
                let event = known.events[known.events.count - 1 - offset]
                if seen.insert(event).inserted { events.append(event) }
            }
        }
        self.init(of: newest.id, events.prefix(Self.most).reversed())
        let others = all.flatMap(\.former).filter { !newest.former.contains($0) && $0 != newest.id }
        var unique: [String] = []
        for id in others + newest.former where !unique.contains(id) { unique.append(id) }
        former = Array(unique.suffix(Self.mostFormer))
        for known in same { timelines.merge(known.timelines) { max($0, $1) } }
        for known in all { highest.merge(known.highest) { max($0, $1) } }
    }
}

extension RememberedHistory {
    /// The JSON object in the local file.
    var bytes: [UInt8] {
        JSONWriter.object { body in
            body.member("version", 1)
            body.member("history", id)
            body.member("former", former)
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
                for (system, timeline) in highest.sorted(by: { $0.key < $1.key }) {
                    list.object { member in
                        member.member("system", system)
                        member.member("timeline", timelines[system])
                        member.member("highest", timeline)
                    }
                }
            }
        }
    }

    /// Reads the JSON object in the local file; `nil` if it's damaged or was written by a later version.
    init?(_ bytes: [UInt8]) {
        guard let body = try? FlatObject(scanning: bytes), body.integer("version").value == 1,
            let members = body.objects("events").value, let former = body.strings("former").value,
            let clusters = body.objects("timelines").value
        else { return nil }
        var events: [ConfirmedEvent] = []
        for member in members {
            guard let tenant = member.string("tenant").value.flatMap({ TenantID($0) }),
                let number = member.integer("number").value,
                let digest = member.string("digest").value.flatMap({ Hex.decode($0) }).flatMap({ Digest($0) })
            else { return nil }
            events.append(ConfirmedEvent(tenant: tenant, number: number, digest: digest))
        }
        self.init(of: body.string("history").value, events)
        self.former = former
        for member in clusters {
            guard let system = member.string("system").value, let timeline = member.string("highest").value else {
                return nil
            }
            highest[system] = timeline
            timelines[system] = member.string("timeline").value
        }
    }
}
