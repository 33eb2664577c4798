import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

extension RestoredFile {
    /// The schema of the report about what was given since the copy.
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

    /// How many records the text lists one by one.
    private static let most = 100

    /// The groups, those of the actor who gave the most first.
    private var groups: [(group: CarryIssued.Outcome.Group, count: CarryIssued.Outcome.Count)] {
        var totals: [String?: Int] = [:]
        for (group, count) in given.groups { totals[group.actor, default: 0] += count.total }
        func rank(_ group: CarryIssued.Outcome.Group) -> (Int, String, String, String) {
            (-(totals[group.actor] ?? 0), group.actor ?? "", group.kind, group.act)
        }
        return given.groups.map { ($0.key, $0.value) }.sorted { rank($0.0) < rank($1.0) }
    }

    /// Prints what was given since the copy, by actor and then one by one.
    func reportGiven(on console: Console) {
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
        console.answer("given after the copy was made\(given.isCarried ? "" : ", and lost with this restore"):")
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

    /// How many records were given since the copy, and how many of them weren't carried over.
    ///
    /// New activations don't count, because devices activate their licenses again.
    private var numbersGiven: (total: Int, left: Int) {
        let counts = given.groups.filter { $0.key.kind != "activation" || !$0.key.isNew }.map(\.value)
        return (counts.reduce(0) { $0 + $1.total }, counts.reduce(0) { $0 + $1.left })
    }

    /// The end of the report's last line: how many records were taken over.
    var takenOver: String {
        guard given.isCarried else { return "" }
        let (total, left) = numbersGiven
        return "; took \((total - left).of("record")) over" + (left > 0 ? ", and left \(left) behind" : "")
    }

    /// What to know about records that the restored store lacks.
    func givenWarnings(of copy: String) -> [String] {
        var warnings = given.unread.map { "not all of what was given was found (\($0.kind)): \($0.cause)" }
        let (total, left) = numbersGiven
        if !given.isCarried, total > 0 {
            warnings.append(
                "\(total.of("record")) that \(total == 1 ? "was" : "were") given after the copy was made "
                    + "\(total == 1 ? "is" : "are") not in the restored store. Keys issued since are unknown to it. "
                    + (aside.map { aside in
                        "To take them over, run `tenure restore \(copy) --replace --carry-from sqlite:\(aside) "
                            + "--carry-issued\(installationOptions)`"
                    } ?? "To take them over, restore the copy again with --carry-issued"))
        }
        if left > 0 {
            warnings.append("\(left.of("record")) \(left == 1 ? "was" : "were") left behind; the list says why")
        }
        return warnings
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
