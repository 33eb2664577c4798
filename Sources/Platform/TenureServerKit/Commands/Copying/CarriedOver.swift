import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The changes carried over to a store from its own later states, and the report about them.
struct CarriedOver {
    /// The revocations and other withdrawals that were carried over from the later states.
    private(set) var withdrawn = RestoreReplay.Outcome()
    /// The records that were issued or changed in the later states, whether or not they were carried over.
    var given: CarryIssued.Outcome
    let words: Words

    /// The headings of the report, which differ between a restored copy and a database that returned to an older
    /// state.
    struct Words {
        /// The heading of the withdrawals.
        let withdrawn: String
        /// The heading of the issued and changed records.
        let given: String

        static let ofCopy = Words(withdrawn: "change since the copy", given: "given after the copy was made")
        static let ofRecovery = Words(withdrawn: "withdrawn since", given: "given in the lost state")
    }

    init(_ mode: CarryIssued.Mode = .list, _ words: Words = .ofCopy) {
        given = CarryIssued.Outcome(mode)
        self.words = words
    }

    /// Adds the withdrawals of a later state.
    ///
    /// - Parameters:
    ///   - position: The index of the later state that the withdrawals come from.
    ///   - events: Returns the later state's events about a record, which the store is to record as well.
    mutating func add(
        _ outcome: RestoreReplay.Outcome, of position: Int, events: (EventsSince.Record) -> [EventRecord]
    ) {
        withdrawn.items += outcome.items
        withdrawn.unread += outcome.unread
        for (record, kinds) in outcome.events {
            given.events.add(events(record).filter { kinds.contains($0.event.kind) }, of: position)
        }
    }

    /// Whether every part of the later states could be read.
    var isComplete: Bool { withdrawn.unread.isEmpty && given.unread.isEmpty }

    /// Whether anything was carried over to the store.
    var isChanged: Bool { given.saved > 0 || withdrawn.items.contains { !$0.isLeftOut } || !given.events.isEmpty }

    /// The schema of the report about withdrawals.
    static let withdrawnOutput: Schema = .list(
        of: .output([("kind", .text()), ("name", .text()), ("act", .text())]))

    /// The schema of the report about records that were issued or changed since the copy.
    static let givenOutput = Schema.output([
        ("carried", .boolean),
        (
            "byActor",
            .list(
                of: .output([
                    ("actor", .textOrNull), ("kind", .text()), ("act", .text()), ("count", .integer()),
                    ("left", .integer()),
                    ("firstAt", .momentOrNull), ("lastAt", .momentOrNull),
                ]))
        ),
        (
            "items",
            .list(
                of: .output([
                    ("kind", .text()), ("name", .text()), ("acts", .texts), ("key", .textOrNull),
                    ("holder", .textOrNull), ("order", .textOrNull), ("actor", .textOrNull), ("at", .momentOrNull),
                    ("leftBehind", .textOrNull),
                ]))
        ),
        ("unread", .list(of: .output([("kind", .text()), ("cause", .text())]))),
    ])

    /// The maximum number of records that the text lists one by one.
    private static let most = 100

    /// The groups, ordered by the actor's number of issued or changed records, largest first.
    private var groups: [(group: CarryIssued.Outcome.Group, count: CarryIssued.Outcome.Count)] {
        var totals: [String?: Int] = [:]
        for (group, count) in given.groups { totals[group.actor, default: 0] += count.total }
        func rank(_ group: CarryIssued.Outcome.Group) -> (Int, String, String, String) {
            (-(totals[group.actor] ?? 0), group.actor ?? "", group.kind, group.act)
        }
        return given.groups.map { ($0.key, $0.value) }.sorted { rank($0.0) < rank($1.0) }
    }

    /// Prints the withdrawals, and then the issued and changed records.
    func show(on console: Console) {
        if !withdrawn.items.isEmpty {
            var table = TextTable([.text("kind"), .text("name"), .text(words.withdrawn)])
            for item in withdrawn.items { table.add([item.kind, item.name, item.act]) }
            console.answer(table)
        }
        showGiven(on: console)
    }

    /// Prints the records issued or changed since the copy, by actor and then one by one.
    private func showGiven(on console: Console) {
        guard !given.groups.isEmpty else { return }
        let columns: [TextTable.Column] = [.text("by"), .number(given.isCarried ? "taken over" : "lost")]
        var summary = TextTable(
            columns + (given.isCarried ? [.number("left")] : []) + [.text("what"), .text("first"), .text("last")])
        for (group, count) in groups {
            let numbers = given.isCarried ? [count.total - count.left, count.left] : [count.total]
            summary.add(
                [group.actor ?? "unknown"] + numbers.map { "\($0)" }
                    + ["\(group.kind) \(group.act)", count.first?.local ?? "-", count.last?.local ?? "-"])
        }
        console.answer("\(words.given)\(given.isCarried ? "" : ", and lost with this restore"):")
        console.answer(summary)
        let (left, others) = (given.items.filter { $0.obstacle != nil }, given.items.filter { $0.obstacle == nil })
        if !others.isEmpty {
            console.answer(given.isCarried ? "taken over:" : "lost:")
            list(others, console) { $0.acts.joined(separator: ", ").withLocalDates }
        }
        if !left.isEmpty {
            let limit = given.limit.map { " (what was given until \($0.local) is taken over)" }
            console.answer("left behind\(limit ?? ""):")
            list(left, console) { ($0.obstacle ?? "").withLocalDates }
        }
    }

    private func list(
        _ items: [RestoreAddition.Item], _ console: Console, what: (RestoreAddition.Item) -> String
    ) {
        var table = TextTable([
            .text("kind"), .text("name"), .text("what"), .text("key"), .text("holder"), .text("order"),
        ])
        for item in items.prefix(Self.most) {
            table.add([item.kind, item.name, what(item), item.key ?? "-", item.holder ?? "-", item.order ?? "-"])
        }
        console.answer(table)
        if items.count > Self.most { console.answer("and \(items.count - Self.most) more; --json lists them") }
    }

    /// Writes the report's members `carriedOver` and `unread`.
    func writeWithdrawn(_ body: inout JSONObjectWriter) {
        body.array("carriedOver") { list in
            for item in withdrawn.items {
                list.object { object in
                    object.member("kind", item.kind)
                    object.member("name", item.name)
                    object.member("act", item.act)
                }
            }
        }
        body.array("unread") { list in
            for part in withdrawn.unread {
                list.object { object in
                    object.member("kind", part.kind)
                    object.member("cause", part.cause)
                }
            }
        }
    }

    /// Writes the report's member `given`.
    func writeGiven(_ body: inout JSONObjectWriter) {
        body.object("given") { object in
            object.member("carried", given.isCarried)
            object.array("byActor") { list in
                for (group, count) in groups {
                    list.object { object in
                        object.member("actor", group.actor)
                        object.member("kind", group.kind)
                        object.member("act", group.act)
                        object.member("count", count.total)
                        object.member("left", count.left)
                        object.member("firstAt", count.first?.description)
                        object.member("lastAt", count.last?.description)
                    }
                }
            }
            object.array("items") { list in
                for item in given.items { list.object { $0.write(item) } }
            }
            object.array("unread") { list in
                for part in given.unread {
                    list.object { object in
                        object.member("kind", part.kind)
                        object.member("cause", part.cause)
                    }
                }
            }
        }
    }

    /// The number of records that were issued or changed in the later states, and how many of them weren't carried
    /// over.
    ///
    /// New activations don't count, because devices activate their licenses again.
    var numbersGiven: (total: Int, left: Int) {
        let counts = given.groups.filter { $0.key.kind != "activation" || !$0.key.isNew }.map(\.value)
        return (counts.reduce(0) { $0 + $1.total }, counts.reduce(0) { $0 + $1.left })
    }

    /// The end of the report's last line: how many records were carried over and how many weren't.
    var takenOver: String {
        guard given.isCarried else { return "" }
        let (total, left) = numbersGiven
        return "; took \((total - left).of("record")) over" + (left > 0 ? ", and left \(left) behind" : "")
    }

    /// Warnings about parts of the later states that couldn't be read, and about records that weren't carried over.
    var warnings: [String] {
        let unread =
            withdrawn.unread.map { "not every revocation was carried over (\($0.kind)): \($0.cause)" }
            + given.unread.map { "not all of what was given was found (\($0.kind)): \($0.cause)" }
        let left = numbersGiven.left
        return unread
            + (left > 0 ? ["\(left.of("record")) \(left == 1 ? "was" : "were") left behind; the list says why"] : [])
    }
}

extension JSONObjectWriter {
    fileprivate mutating func write(_ item: RestoreAddition.Item) {
        member("kind", item.kind)
        member("name", item.name)
        member("acts", item.acts)
        member("key", item.key)
        member("holder", item.holder)
        member("order", item.order)
        member("actor", item.actor)
        member("at", item.at?.description)
        member("leftBehind", item.obstacle)
    }
}
